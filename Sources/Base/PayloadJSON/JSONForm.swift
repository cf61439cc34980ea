/// A coarse class of a value, by its kind and first bytes. Most rules depend on nothing else, so their findings for one
/// payload hold for every payload whose values have the same forms.
package enum JSONForm: UInt8, Hashable, Sendable, CaseIterable {
    /// Any other value: null, a negative number or one of more digits, an array of other values. Two values of this form
    /// may differ in what matters to a rule.
    case other
    case emptyString, string, zero, one
    /// An integer from 2 to 999999999.
    case smallInteger
    /// An integer of ten digits, such as a time in seconds since 1970.
    case tenDigits
    /// A number above 0 and below 1, written without an exponent.
    case fraction
    case `true`, `false`, object, emptyArray
    /// An array of at least one string.
    case strings
}

/// The forms of the values of keys with ids below 64.
package struct JSONForms: Hashable, Sendable {
    /// One word for each of the four bits of `JSONForm`, with one bit for each key. An absent key has no bits.
    package var planes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// Whether a value has the form `other`, or a key occurs more than once. Then equal forms do not mean equal findings.
    package var hasOther = false

    @inlinable @inline(__always)
    package init() {}

    @inline(__always)
    mutating func insert(_ form: JSONForm, of id: UInt8) {
        let bits = UInt64(form.rawValue)
        let place = UInt64(id & 63)
        planes.0 |= (bits & 1) << place
        planes.1 |= (bits >> 1 & 1) << place
        planes.2 |= (bits >> 2 & 1) << place
        planes.3 |= (bits >> 3) << place
        if form == .other { hasOther = true }
    }

    @inlinable @inline(__always)
    package mutating func formUnion(_ other: JSONForms) {
        planes.0 |= other.planes.0
        planes.1 |= other.planes.1
        planes.2 |= other.planes.2
        planes.3 |= other.planes.3
        hasOther = hasOther || other.hasOther
    }

    /// Removes keys, given as a set of bits.
    @inlinable @inline(__always)
    package mutating func remove(_ keys: UInt64) {
        planes.0 &= ~keys
        planes.1 &= ~keys
        planes.2 &= ~keys
        planes.3 &= ~keys
    }

    @inlinable @inline(__always)
    package static func == (left: JSONForms, right: JSONForms) -> Bool {
        left.planes == right.planes && left.hasOther == right.hasOther
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(hasOther)
    }

    /// A hash of the forms.
    @inlinable @inline(__always)
    package var number: UInt64 {
        var number = planes.0 &* 0x9e37_79b9_7f4a_7c15
        number = (number ^ number >> 29 ^ planes.1) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 29 ^ planes.2) &* 0xbf58_476d_1ce4_e5b9
        return (number ^ number >> 29 ^ planes.3) &* 0xbf58_476d_1ce4_e5b9
    }
}

extension JSONDocument {
    /// The form of a value.
    package func form(of index: JSONIndex) -> JSONForm {
        bytes.withUnsafeBufferPointer { text in
            nodes.withUnsafeBufferPointer { JSONDocument.form(of: index.position, $0, text) }
        }
    }

    @inline(__always)
    static func form(
        of position: Int, _ nodes: UnsafeBufferPointer<JSONNode>, _ text: UnsafeBufferPointer<UInt8>
    ) -> JSONForm {
        let node = nodes[position]
        switch node.kind {
        case .string: return node.end - node.start == 2 ? .emptyString : .string
        case .object: return .object
        case .true: return .true
        case .false: return .false
        case .null: return .other
        case .integer: return form(ofInteger: node, text)
        case .fraction: return form(ofFraction: node, text)
        case .array: return form(ofArray: position, nodes)
        }
    }

    @inline(__always)
    private static func form(ofInteger node: JSONNode, _ text: UnsafeBufferPointer<UInt8>) -> JSONForm {
        let first = text[Int(node.start)]
        guard node.end - node.start == 1 else {
            guard first != UInt8(ascii: "-") else { return .other }
            let digits = node.end - node.start
            return digits < 10 ? .smallInteger : digits == 10 ? .tenDigits : .other
        }
        switch first {
        case UInt8(ascii: "0"): return .zero
        case UInt8(ascii: "1"): return .one
        default: return .smallInteger
        }
    }

    @inline(never)
    private static func form(ofFraction node: JSONNode, _ text: UnsafeBufferPointer<UInt8>) -> JSONForm {
        let digits = text[Int(node.start)..<Int(node.end)]
        guard digits.starts(with: "0.".utf8) else { return .other }
        var isZero = true
        for digit in digits.dropFirst(2) {
            guard digit | 0x20 != UInt8(ascii: "e") else { return .other }
            if digit != UInt8(ascii: "0") { isZero = false }
        }
        return isZero ? .other : .fraction
    }

    @inline(never)
    private static func form(ofArray array: Int, _ nodes: UnsafeBufferPointer<JSONNode>) -> JSONForm {
        let end = Int(nodes[array].following)
        // A string is one node, so in an array of strings the nodes are its elements.
        for position in array + 1..<end where nodes[position].kind != .string { return .other }
        return end == array + 1 ? .emptyArray : .strings
    }
}
