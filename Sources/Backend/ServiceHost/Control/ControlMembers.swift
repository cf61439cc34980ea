import APNSModel
package import PushDispatch

/// Takes the members of a JSON object (a control API body or part of a document) one by one. Members that are left at
/// the end are misspelt.
package struct ControlMembers {
    private var members: [String: JSONValue]
    /// The name of the object in messages.
    private let what: String
    private var known: [String] = []

    package init(_ value: JSONValue, _ what: String) throws(ControlProblem) {
        guard let members = value.object else {
            throw .bad("\(what) is \(value.kindInWords); an object is wanted")
        }
        self.members = members
        self.what = what
    }

    /// Nil for a missing member and for null.
    package mutating func value(_ key: String) -> JSONValue? {
        known.append(key)
        return members.removeValue(forKey: key).flatMap { $0 == .null ? nil : $0 }
    }

    package mutating func string(_ key: String) throws(ControlProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw wrong(key, value, "a string") }
        return text
    }

    package mutating func requiredString(_ key: String) throws(ControlProblem) -> String {
        guard let text = try string(key) else { throw .bad("\(what): \(key) is missing") }
        return text
    }

    package mutating func flag(_ key: String) throws(ControlProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(key, value, "true or false") }
        return flag
    }

    /// For a key whose only value is true.
    package mutating func isTrue(_ key: String) throws(ControlProblem) -> Bool {
        guard let value = value(key) else { return false }
        guard value == .bool(true) else { throw .bad("\(what): \(key) takes true") }
        return true
    }

    package mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package mutating func number(_ key: String, in range: ClosedRange<Double>) throws(ControlProblem) -> Double? {
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

    /// A time as RFC 3339 or Unix seconds, in milliseconds since 1970.
    package mutating func time(_ key: String) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        let text: String? =
            switch value {
            case .string(let text): text
            case .integer(let seconds): String(seconds)
            default: nil
            }
        guard let time = text.flatMap({ TimeText.milliseconds(ofTime: $0) }) else {
            throw wrong(key, value, "a time such as 2026-05-20T20:49:32Z, or Unix seconds,")
        }
        return time
    }

    /// Milliseconds.
    package mutating func duration(
        _ key: String, in range: ClosedRange<Int64> = .min ... .max
    ) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let duration = value.string.flatMap({ TimeText.milliseconds(ofDuration: $0) }) else {
            throw wrong(key, value, TimeText.durationForm)
        }
        guard range.contains(duration) else {
            throw .bad(
                "\(what): \(key) is \(TimeText.duration(duration)); \(TimeText.duration(range.lowerBound)) to "
                    + "\(TimeText.duration(range.upperBound)) is wanted")
        }
        return duration
    }

    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, _: Word.Type
    ) throws(ControlProblem) -> Word? where Word.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .bad("\(what): \(key) is \(ShownText.quoted(text)); one of \(words) is wanted")
        }
        return word
    }

    /// Throws if the object has a member that was not taken.
    package func finish() throws(ControlProblem) {
        guard let key = members.keys.sorted().first else { return }
        throw .bad("\(what): there is no key \(ShownText.quoted(key)); there are \(known.joined(separator: ", "))")
    }

    package func wrong(_ key: String, _ value: JSONValue, _ wanted: String) -> ControlProblem {
        .bad("\(what): \(key) is \(value.kindInWords) that does not fit; \(wanted) is wanted")
    }
}
