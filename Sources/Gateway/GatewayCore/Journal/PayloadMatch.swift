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
    /// An object with these members, and possibly others; sorted by their keys.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        /// The key as a step of a JSON pointer.
        let step: String
        package let match: PayloadMatch

        init(_ key: String, _ match: PayloadMatch) {
            self.key = key
            step = JSONPointer.escaped(key)
            self.match = match
        }
    }

    package init(_ value: PayloadValue) {
        switch value {
        case .string, .integer, .number, .boolean: self = .equals(value)
        case .array(let elements): self = .array(elements.map { PayloadMatch($0) })
        case .object(let members): self = PayloadMatch.members(members.mapValues { PayloadMatch($0) })
        }
    }

    private static func members(_ members: [String: PayloadMatch]) -> PayloadMatch {
        .object(members.map { Member($0.key, $0.value) }.sorted { $0.key < $1.key })
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
            self = PayloadMatch.members(members)
        }
    }

    /// How many members and elements it has, those of inner objects and arrays included.
    var count: Int {
        switch self {
        case .equals, .absent: 0
        case .array(let elements): elements.reduce(elements.count) { $0 + $1.count }
        case .object(let members): members.reduce(members.count) { $0 + $1.match.count }
        }
    }

    /// Compact JSON; null for absent.
    package var json: String {
        switch self {
        case .equals(let value): String(decoding: value.encoded(), as: UTF8.self)
        case .absent: "null"
        case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONWriter.quoted($0.key)):\($0.match.json)" }.joined(separator: ","))}"
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
            for member in wanted {
                let found = document.member(named: member.key, of: index)
                guard member.match.isMet(by: document, found) else { return false }
            }
            return true
        }
    }

    /// Compares each value; where the kinds differ, only the outermost one.
    ///
    /// - Parameter field: The name of the value's place; not needed where the comparison only counts.
    func compare(
        _ document: borrowing JSONDocument, _ index: JSONIndex?, at field: String,
        into comparison: inout MatchComparison
    ) {
        if let index, case .object(let wanted) = self, document.kind(of: index) == .object {
            for member in wanted {
                let place = comparison.isDescribing ? "\(field)/\(member.step)" : ""
                let found = document.member(named: member.key, of: index)
                member.match.compare(document, found, at: place, into: &comparison)
            }
            return
        }
        if let index, case .array(let wanted) = self, document.kind(of: index) == .array {
            let found = Array(document.elements(of: index))
            if found.count == wanted.count {
                for (position, (wanted, found)) in zip(wanted, found).enumerated() {
                    let place = comparison.isDescribing ? "\(field)/\(position)" : ""
                    wanted.compare(document, found, at: place, into: &comparison)
                }
                return
            }
        }
        guard !isMet(by: document, index) else {
            comparison.addAgreement()
            return
        }
        guard comparison.isDescribing else {
            comparison.addDifference()
            return
        }
        let found = index.map { document.source(of: $0) } ?? "null"
        comparison.addDifference(NearMiss.Difference(field: field, wanted: json, found: found))
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
