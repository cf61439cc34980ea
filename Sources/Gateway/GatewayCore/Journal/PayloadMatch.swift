package import APNSPayload
import PayloadJSON

/// What a payload, or a value in one, has to look like. In an object only the members named here count.
package indirect enum PayloadMatch: Hashable, Sendable {
    /// This string, number or Boolean. Numbers are compared by their value, so that 1 and 1.0 are the same.
    case equals(PayloadValue)
    /// There is no such member, or it is null.
    case absent
    /// An array of the same length, in which each element matches the one at its index.
    case array([PayloadMatch])
    /// An object with these members, and possibly others.
    case object([String: PayloadMatch])

    package init(_ value: PayloadValue) {
        switch value {
        case .string, .integer, .number, .boolean: self = .equals(value)
        case .array(let elements): self = .array(elements.map { PayloadMatch($0) })
        case .object(let members): self = .object(members.mapValues { PayloadMatch($0) })
        }
    }

    /// Reads a value; null stands for absent. Nil for a number beyond the range of `Double`.
    init?(_ document: borrowing JSONDocument, _ index: JSONIndex) {
        switch document.kind(of: index) {
        case .null: self = .absent
        case .true: self = .equals(.boolean(true))
        case .false: self = .equals(.boolean(false))
        case .string: self = .equals(.string(document.string(of: index) ?? ""))
        case .integer, .fraction:
            if let integer = document.integer(of: index) {
                self = .equals(.integer(integer))
            } else if let number = document.number(of: index).flatMap({ FiniteNumber($0) }) {
                self = .equals(.number(number))
            } else {
                return nil
            }
        case .array:
            var elements: [PayloadMatch] = []
            for element in document.elements(of: index) {
                guard let match = PayloadMatch(document, element) else { return nil }
                elements.append(match)
            }
            self = .array(elements)
        case .object:
            var members: [String: PayloadMatch] = [:]
            for member in document.members(of: index) {
                guard let match = PayloadMatch(document, member.value) else { return nil }
                members[document.string(of: member.key) ?? ""] = match
            }
            self = .object(members)
        }
    }

    /// Compact JSON; null for absent.
    package var json: String {
        switch self {
        case .equals(let value): String(decoding: value.encoded(), as: UTF8.self)
        case .absent: "null"
        case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(JSONWriter.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}

/// Comparing.
extension PayloadMatch {
    func isMet(by document: borrowing JSONDocument, _ index: JSONIndex?) -> Bool {
        guard let index, document.kind(of: index) != .null else { return self == .absent }
        switch self {
        case .absent: return false
        case .equals(let value): return PayloadMatch.isEqual(value, document, index)
        case .array(let wanted):
            guard document.kind(of: index) == .array else { return false }
            let found = Array(document.elements(of: index))
            guard found.count == wanted.count else { return false }
            for (wanted, found) in zip(wanted, found) where !wanted.isMet(by: document, found) { return false }
            return true
        case .object(let wanted):
            guard document.kind(of: index) == .object else { return false }
            for (key, wanted) in wanted where !wanted.isMet(by: document, document.member(named: key, of: index)) {
                return false
            }
            return true
        }
    }

    /// Adds each place where a value differs; if the kinds differ, the outermost place.
    ///
    /// - Parameter field: The name of the value's place.
    /// - Returns: How many values were compared.
    func compare(
        _ document: borrowing JSONDocument, _ index: JSONIndex?, at field: String,
        into differences: inout [NearMiss.Difference]
    ) -> Int {
        if let index, case .object(let wanted) = self, document.kind(of: index) == .object {
            var count = 0
            for (key, wanted) in wanted.sorted(by: { $0.key < $1.key }) {
                let step = key.replacing("~", with: "~0").replacing("/", with: "~1")
                count += wanted.compare(
                    document, document.member(named: key, of: index), at: "\(field)/\(step)", into: &differences)
            }
            return count
        }
        if let index, case .array(let wanted) = self, document.kind(of: index) == .array {
            let found = Array(document.elements(of: index))
            if found.count == wanted.count {
                var count = 0
                for (position, (wanted, found)) in zip(wanted, found).enumerated() {
                    count += wanted.compare(document, found, at: "\(field)/\(position)", into: &differences)
                }
                return count
            }
        }
        if !isMet(by: document, index) {
            let found = index.map { document.source(of: $0) } ?? "null"
            differences.append(NearMiss.Difference(field: field, wanted: json, found: found))
        }
        return 1
    }

    private static func isEqual(
        _ value: PayloadValue, _ document: borrowing JSONDocument, _ index: JSONIndex
    ) -> Bool {
        switch value {
        case .string(let text): document.string(of: index) == text
        case .boolean(let isTrue): document.kind(of: index) == (isTrue ? .true : .false)
        case .integer(let integer):
            document.integer(of: index).map { $0 == integer } ?? (document.number(of: index) == Double(integer))
        case .number(let number): document.number(of: index) == number.value
        case .array, .object: PayloadMatch(value).isMet(by: document, index)
        }
    }
}
