import APNSModel
package import PushDispatch

/// Takes the keys of a step one by one. Keys that are left at the end are misspelt.
package struct PlayMembers {
    private var members: [String: JSONValue]
    /// How messages name the object.
    private let what: String
    private var known: [String] = []

    package init(_ members: [String: JSONValue], _ what: String) {
        self.members = members
        self.what = what
    }

    /// The value, also null; nil without the key.
    package mutating func raw(_ key: String) -> JSONValue? {
        known.append(key)
        return members.removeValue(forKey: key)
    }

    /// Nil without the key and for null.
    package mutating func value(_ key: String) -> JSONValue? { raw(key).flatMap { $0 == .null ? nil : $0 } }

    package mutating func required<Value>(
        _ key: String, _ form: String, _ read: (inout PlayMembers) throws(PlayMistake) -> Value?
    ) throws(PlayMistake) -> Value {
        guard let value = try read(&self) else { throw PlayMistake("\(what) has no \"\(key)\"; give it \(form)") }
        return value
    }

    package mutating func string(_ key: String) throws(PlayMistake) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw wrong(key, value, "a string") }
        return text
    }

    package mutating func flag(_ key: String) throws(PlayMistake) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(key, value, "true or false") }
        return flag
    }

    package mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(PlayMistake) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package mutating func number(_ key: String, in range: ClosedRange<Double>) throws(PlayMistake) -> Double? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number) where range.contains(Double(number)): return Double(number)
        case .number(let number) where range.contains(number): return number
        default: throw wrong(key, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    package mutating func strings(_ key: String) throws(PlayMistake) -> [String]? {
        guard let value = value(key) else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else { throw wrong(key, value, "an array of strings") }
        return texts
    }

    package mutating func object(_ key: String) throws(PlayMistake) -> [String: JSONValue]? {
        guard let value = value(key) else { return nil }
        guard let members = value.object else { throw wrong(key, value, "an object") }
        return members
    }

    /// The most seconds that a step takes.
    package static let maximumSeconds: Int64 = 31_536_000_000

    /// Seconds, as milliseconds. A duration such as `500ms` is taken too.
    package mutating func seconds(_ key: String) throws(PlayMistake) -> Int64? {
        guard let value = value(key) else { return nil }
        let most = PlayMembers.maximumSeconds
        switch value {
        case .integer(let number) where (0...most).contains(number): return number * 1_000
        case .number(let number) where number >= 0 && number <= Double(most): return Int64(number * 1_000)
        case .string(let text):
            if let duration = TimeText.milliseconds(ofDuration: text), duration >= 0 { return duration }
        default: break
        }
        throw wrong(key, value, "seconds from 0 on, or a duration such as 500ms,")
    }

    /// A duration as text, in milliseconds; not negative.
    package mutating func duration(_ key: String) throws(PlayMistake) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let duration = value.string.flatMap({ TimeText.milliseconds(ofDuration: $0) }), duration >= 0 else {
            throw wrong(key, value, TimeText.durationForm)
        }
        return duration
    }

    /// One of some words.
    package mutating func word<Value>(
        _ key: String, of words: KeyValuePairs<String, Value>
    ) throws(PlayMistake) -> Value? {
        guard let value = value(key) else { return nil }
        let known = words.map { "\"\($0.key)\"" }.joined(separator: ", ")
        guard let text = value.string else { throw wrong(key, value, "one of \(known)") }
        guard let found = words.first(where: { $0.key == text }) else {
            throw PlayMistake("\(what): \"\(key)\" is \(ShownText.quoted(text)); one of \(known) is wanted")
        }
        return found.value
    }

    /// Throws for a key that was not taken.
    package func finish() throws(PlayMistake) {
        guard let key = members.keys.sorted().first else { return }
        guard known != ["do"] else {
            throw PlayMistake("\(what): there is no key \(ShownText.quoted(key)); it takes only \"do\"")
        }
        let mistake = PlayMistake.unknown("key", key, among: known)
        throw PlayMistake("\(what): \(mistake.detail)")
    }

    package func wrong(_ key: String, _ value: JSONValue, _ wanted: String) -> PlayMistake {
        PlayMistake("\(what): \"\(key)\" is \(PlayMembers.shown(value)); \(wanted) is wanted")
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .integer, .number, .bool: String(decoding: value.compactBytes, as: UTF8.self)
        case .string(let text): ShownText.quoted(text)
        case .null, .array, .object: value.kindInWords
        }
    }
}
