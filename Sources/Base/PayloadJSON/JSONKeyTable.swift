/// A perfect hash of key names. It finds which name a key is with one multiplication and two comparisons.
package final class JSONKeyTable: Sendable {
    /// The first eight, the last eight and the middle eight bytes of a name. A short name is padded with zeros.
    private struct Entry: Sendable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var middle: UInt64 = 0
        var count = -1
        var id: UInt8 = 0
    }

    /// The names, and after them one entry that no key equals.
    private let entries: [Entry]
    /// For each hash, the number of the name with that hash, or of the last entry. The count is a power of two.
    private let slots: [UInt8]
    private let shift: UInt64
    private let multiplier: UInt64

    private static let longestName = 24

    /// - Parameter names: Distinct names of at most 24 bytes, with ids below 64. Several names may share an id.
    package init(_ names: [(name: String, id: UInt8)]) {
        precondition(
            names.allSatisfy { $0.name.utf8.count <= JSONKeyTable.longestName && $0.id < 64 },
            "a name is longer than \(JSONKeyTable.longestName) bytes, or an id is not below 64")
        precondition(names.count < 255, "a table has at most 254 names")
        let entries = names.map { JSONKeyTable.entry(Array($0.name.utf8), id: $0.id) } + [Entry()]
        let bits = UInt64(64 - (names.count * 8).leadingZeroBitCount)
        let shift = 64 - bits
        var slots: [UInt8] = []
        // Tries multipliers, starting from this one, until no two names have the same hash.
        var multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15
        search: while true {
            slots = [UInt8](repeating: UInt8(names.count), count: 1 << bits)
            for number in 0..<names.count {
                let entry = entries[number]
                let slot = Int(JSONKeyTable.hash(entry.first, entry.last, entry.count, multiplier) >> shift)
                guard slots[slot] == names.count else {
                    multiplier &+= 0x2545_f491_4f6c_dd1e
                    continue search
                }
                slots[slot] = UInt8(number)
            }
            break
        }
        self.entries = entries
        self.slots = slots
        self.shift = shift
        self.multiplier = multiplier
    }

    private static func entry(_ bytes: [UInt8], id: UInt8) -> Entry {
        bytes.withUnsafeBufferPointer { buffer in
            let (first, last) = words(of: buffer, 0, bytes.count)
            return Entry(
                first: first, last: last, middle: bytes.count > 16 ? word(of: buffer, 8) : 0, count: bytes.count, id: id
            )
        }
    }

    @inline(__always)
    static func hash(_ first: UInt64, _ last: UInt64, _ count: Int, _ multiplier: UInt64) -> UInt64 {
        (first ^ (last << 23 | last >> 41) ^ UInt64(truncatingIfNeeded: count)) &* multiplier
    }

    /// The words that distinguish names. `last` is 0 for a name of at most eight bytes; for one of more than 16 bytes it
    /// is mixed with the middle bytes.
    @inline(__always)
    static func words(
        of text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
    ) -> (first: UInt64, last: UInt64) {
        guard count < 8 else {
            guard count > 8 else { return (word(of: text, start), 0) }
            let last = word(of: text, start + count - 8)
            guard count > 16 else { return (word(of: text, start), last) }
            return (word(of: text, start), last ^ word(of: text, start + 8) &* 0x2545_f491_4f6c_dd1d)
        }
        guard start + 8 <= text.count else {
            var word: UInt64 = 0
            for offset in 0..<count { word |= UInt64(text[start + offset]) << (8 * UInt64(offset)) }
            return (word, 0)
        }
        return (word(of: text, start) & (1 << (8 * UInt64(count)) - 1), 0)
    }

    @inline(__always)
    private static func word(of text: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    /// The id of the name at `start`, given its words.
    @inline(__always)
    func find(
        _ first: UInt64, _ last: UInt64, of text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
    ) -> UInt8? {
        let number = slots.withUnsafeBufferPointer { slots in
            Int(slots[Int(truncatingIfNeeded: JSONKeyTable.hash(first, last, count, multiplier) >> shift)])
        }
        return entries.withUnsafeBufferPointer { entries in
            guard entries[number].first == first, entries[number].last == last, entries[number].count == count,
                count <= 16 || entries[number].middle == JSONKeyTable.word(of: text, start + 8)
            else { return nil }
            return entries[number].id
        }
    }
}

/// What scans found, of one object or of several whose names have different ids. Bit n of a set stands for the name with id n.
package struct JSONKeyScan: Hashable, Sendable {
    /// The names that occur.
    package var found: UInt64 = 0
    /// The names whose value is null; for a repeated key the last value counts.
    package var nulls: UInt64 = 0
    /// Whether there is a key that is not in the table, in the last object.
    package var hasOthers = false
    /// Whether a key occurs more than once in the last object. Also true when two names that share an id occur.
    package var repeatsKey = false
    /// The forms of the values of the names that occur.
    package var forms = JSONForms()

    package init() {}
}

extension JSONDocument {
    /// Whether any value is null.
    package var containsNull: Bool { extent.containsNull }

    /// Whether there is white space between tokens, so that the text is not in compact form.
    package var containsSpace: Bool { extent.containsSpace }

    /// The number of objects at all depths.
    package var objectCount: Int { extent.objectCount }

    /// Looks for the names of `table` among the keys of an object, in one pass.
    ///
    /// - Parameter values: Receives the value of each name at the index of its id; the last one of a repeated key.
    package func scan(_ object: JSONIndex, for table: JSONKeyTable, into values: inout [JSONIndex]) -> JSONKeyScan {
        var scan = JSONKeyScan()
        self.scan(object, for: table, into: &values, adding: &scan)
        return scan
    }

    /// The same, added to what is known of other objects: a result for each object took longer to copy than to find.
    package func scan(
        _ object: JSONIndex, for table: JSONKeyTable, into values: inout [JSONIndex], adding scan: inout JSONKeyScan
    ) {
        scan.hasOthers = false
        scan.repeatsKey = false
        let node = nodes[object.position]
        guard node.kind == .object else { return }
        bytes.withUnsafeBufferPointer { text in
            nodes.withUnsafeBufferPointer { nodes in
                values.withUnsafeMutableBufferPointer { values in
                    var found: UInt64 = 0
                    var nulls: UInt64 = 0
                    var forms = JSONForms()
                    var others = SeenKeys()
                    // Whether all keys were compared exactly, which is done at most once.
                    var isCertain = false
                    var position = object.position + 1
                    while position < Int(node.following) {
                        let key = nodes[position]
                        let value = nodes[position + 1]
                        let start = Int(key.start) + 1
                        let count = Int(key.end) - 1 - start
                        let (first, last) = JSONKeyTable.words(of: text, start, count)
                        let id =
                            key.hasEscapes
                            ? find(escapedKey: key, in: table) : table.find(first, last, of: text, start, count)
                        if let id {
                            let bit: UInt64 = 1 << UInt64(id)
                            if found & bit != 0 {
                                scan.repeatsKey = true
                                forms.hasOther = true
                            }
                            found |= bit
                            forms.insert(JSONDocument.form(of: position + 1, nodes, text), of: id)
                            if value.kind == .null { nulls |= bit } else { nulls &= ~bit }
                            values[Int(id)] = JSONIndex(position: position + 1)
                        } else {
                            scan.hasOthers = true
                            if others.mayHaveSeen(first, last, key), !isCertain {
                                isCertain = true
                                scan.repeatsKey = scan.repeatsKey || repeatsKey(in: object)
                            }
                        }
                        position = Int(value.following)
                    }
                    scan.found |= found
                    scan.nulls |= nulls
                    scan.forms.formUnion(forms)
                }
            }
        }
    }

    @inline(never)
    private func find(escapedKey key: JSONNode, in table: JSONKeyTable) -> UInt8? {
        textBytes(of: key).withUnsafeBufferPointer { text in
            let (first, last) = JSONKeyTable.words(of: text, 0, text.count)
            return table.find(first, last, of: text, 0, text.count)
        }
    }

    /// Whether an object other than those in `known` has a key more than once.
    package func repeatsKey(inObjectsBut known: [JSONIndex]) -> Bool {
        guard extent.objectCount > known.count else { return false }
        for position in 0..<extent.nodeCount {
            guard nodes[position].kind == .object, !known.contains(JSONIndex(position: position)) else { continue }
            var seen = SeenKeys()
            var member = position + 1
            while member < Int(nodes[position].following) {
                let key = nodes[member]
                let (first, last) = bytes.withUnsafeBufferPointer {
                    JSONKeyTable.words(of: $0, Int(key.start) + 1, Int(key.end - key.start) - 2)
                }
                if seen.mayHaveSeen(first, last, key) {
                    if repeatsKey(in: JSONIndex(position: position)) { return true }
                    break
                }
                member = Int(nodes[member + 1].following)
            }
        }
        return false
    }

    @inline(never)
    private func repeatsKey(in object: JSONIndex) -> Bool { !repeatedKeys(of: object).isEmpty }
}

/// A Bloom filter of keys: it always reports a repeated key, and rarely one that is not.
private struct SeenKeys {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var hasEscaped = false
    private var isEmpty = true

    @inline(__always)
    mutating func mayHaveSeen(_ first: UInt64, _ last: UInt64, _ key: JSONNode) -> Bool {
        // The words of a key with escapes do not identify it, so it may equal any other key.
        if key.hasEscapes || hasEscaped {
            defer {
                hasEscaped = hasEscaped || key.hasEscapes
                isEmpty = false
            }
            return !isEmpty
        }
        isEmpty = false
        let hash = JSONKeyTable.hash(first, last, Int(key.end - key.start), 0x9e37_79b9_7f4a_7c15)
        let bit: UInt64 = 1 << (hash >> 58)
        switch hash >> 56 & 3 {
        case 0: return SeenKeys.add(bit, to: &bits.0)
        case 1: return SeenKeys.add(bit, to: &bits.1)
        case 2: return SeenKeys.add(bit, to: &bits.2)
        default: return SeenKeys.add(bit, to: &bits.3)
        }
    }

    @inline(__always)
    private static func add(_ bit: UInt64, to word: inout UInt64) -> Bool {
        defer { word |= bit }
        return word & bit != 0
    }
}
