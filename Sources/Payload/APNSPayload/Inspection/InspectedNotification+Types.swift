import PayloadJSON

extension KeySet {
    /// The keys of these entries.
    init(of rows: [PayloadKey]) { self.init(rows.map(\.key)) }

    /// The keys that are in both sets, in the order of the table.
    func common(with other: KeySet) -> Keys { Keys(rest: keys & other.keys) }

    /// A sequence of keys that allocates no array.
    struct Keys: Sequence, IteratorProtocol {
        fileprivate(set) var rest: UInt64

        mutating func next() -> KnownKey? {
            guard rest != 0 else { return nil }
            defer { rest &= rest - 1 }
            return KnownKey(rawValue: UInt8(rest.trailingZeroBitCount))
        }
    }
}

extension PayloadKey {
    /// The types of a value. Loading the whole entry would retain and release each of its strings.
    static func types(of key: KnownKey, in liveActivity: Bool) -> Types {
        (liveActivity ? typesInLiveActivities : typesElsewhere)[Int(key.rawValue)]
    }

    private static let typesElsewhere = all.map(\.types)
    private static let typesInLiveActivities = all.map { $0.typesInLiveActivity ?? $0.types }
}

extension PayloadKey.Types {
    /// The types in words, for messages.
    var inWords: String {
        let words: [(PayloadKey.Types, String)] = [
            (.string, "a string"), (.integer, "an integer"), (.number, "a number"), (.one, "the number 1"),
            (.true, "true"), (.object, "an object"), (.strings, "an array of strings"), (.null, "null"),
        ]
        return words.filter { contains($0.0) }.map(\.1).listed("or")
    }
}

extension InspectedNotification {
    /// Whether a value has one of these types. A whole number with a fraction, such as 3.0, counts as an integer.
    func fits(_ value: JSONIndex, _ types: PayloadKey.Types) -> Bool {
        switch document.kind(of: value) {
        case .null: true
        case .string: types.contains(.string)
        case .object: types.contains(.object)
        case .array: types.contains(.strings)
        case .true: types.contains(.true)
        case .false: false
        case .integer: !types.isDisjoint(with: [.integer, .number])
        case .fraction: types.contains(.number) || types.contains(.integer) && wholeNumber(value) != nil
        }
    }

    /// Reports each of these keys whose value has a type that the device ignores, and in an array of strings the first
    /// element that is not a string.
    ///
    /// - Parameter fixesFractions: Whether a number with a fraction in quotes gets a fix, as an integer does.
    func reportTypes(
        of wanted: KeySet, in liveActivity: Bool = false, fixesFractions: Bool = false, _ findings: inout Findings
    ) {
        for key in keys.common(with: wanted) {
            guard let value = self[key] else { continue }
            let types = PayloadKey.types(of: key, in: liveActivity)
            guard fits(value, types) else {
                findings.report(
                    "\(key.name) is \(described(value)); it must be \(types.inWords), or the device ignores it",
                    at: place(ofValue: value), fix: numberOutOfQuotes(value, types, fixesFractions))
                continue
            }
            guard document.kind(of: value) == .array else { continue }
            for (position, element) in document.elements(of: value).enumerated()
            where document.kind(of: element) != .string {
                findings.report(
                    "element \(position + 1) of \(key.name) is \(described(element)); every element must be a string",
                    at: place(ofValue: element))
                break
            }
        }
    }

    /// A fix that removes the quotes of a number, where a number is wanted.
    private func numberOutOfQuotes(
        _ value: JSONIndex, _ types: PayloadKey.Types, _ fixesFractions: Bool
    ) -> Fix? {
        guard !types.isDisjoint(with: [.integer, .number]), let text = document.string(of: value) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isFraction =
            fixesFractions && types.contains(.number) && parts.count == 2 && 1...15 ~= parts[1].utf8.count
            && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard parts.count == 1 || isFraction, let number = Int(parts[0]), 0...999_999_999_999_999 ~= number,
            String(number) == parts[0]
        else { return nil }
        return Fix("write the number without quotes", [Fix.Edit(document.range(of: value), text)])
    }
}
