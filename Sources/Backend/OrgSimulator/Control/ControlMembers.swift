import APNSModel
import PushDispatch
import SelectiveSync

/// Takes the members of a JSON object (a control API body or part of a document) one by one. Members that are left at
/// the end are misspelt.
struct ControlMembers {
    private var members: [String: JSONValue]
    /// The name of the object in messages.
    private let what: String
    private var known: [String] = []

    init(_ value: JSONValue, _ what: String) throws(OrgProblem) {
        guard let members = value.object else {
            throw .bad("\(what) is \(value.kindInWords); an object is wanted")
        }
        self.members = members
        self.what = what
    }

    mutating func value(_ key: String) -> JSONValue? {
        known.append(key)
        return members.removeValue(forKey: key).flatMap { $0 == .null ? nil : $0 }
    }

    mutating func string(_ key: String) throws(OrgProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw wrong(key, value, "a string") }
        return text
    }

    mutating func requiredString(_ key: String) throws(OrgProblem) -> String {
        guard let text = try string(key) else { throw .bad("\(what): \(key) is missing") }
        return text
    }

    mutating func flag(_ key: String) throws(OrgProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(key, value, "true or false") }
        return flag
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(OrgProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(OrgProblem) -> Double? {
        guard let value = value(key) else { return nil }
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        guard let number, range.contains(number) else {
            throw wrong(key, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A time as RFC 3339 or Unix seconds.
    mutating func date(_ key: String) throws(OrgProblem) -> ServerDate? {
        guard let value = value(key) else { return nil }
        if case .integer(let seconds) = value, (0...OrgClock.range.upperBound / 1_000).contains(seconds) {
            return ServerDate(millisecondsSince1970: seconds * 1_000)
        }
        guard let date = value.string.flatMap({ ServerDate($0) }), OrgClock.range.contains(date.millisecondsSince1970)
        else { throw wrong(key, value, "a time such as 2026-05-20T20:49:32Z, or Unix seconds,") }
        return date
    }

    mutating func duration(_ key: String) throws(OrgProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let duration = value.string.flatMap({ TimeText.milliseconds(ofDuration: $0) }) else {
            throw wrong(key, value, TimeText.durationForm)
        }
        return duration
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, _: Word.Type
    ) throws(OrgProblem) -> Word? where Word.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .bad("\(what): \(key) is \"\(ShownText.cut(text, to: 60))\"; one of \(words) is wanted")
        }
        return word
    }

    /// Throws if the object has a member that was not taken.
    func finish() throws(OrgProblem) {
        guard let key = members.keys.sorted().first else { return }
        throw .bad("\(what): there is no key \(ShownText.cut(key, to: 60)); there are \(known.joined(separator: ", "))")
    }

    private func wrong(_ key: String, _ value: JSONValue, _ wanted: String) -> OrgProblem {
        .bad("\(what): \(key) is \(value.kindInWords) that does not fit; \(wanted) is wanted")
    }
}
