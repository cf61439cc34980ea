import APNSModel
import PushDispatch

/// An error of the control API, sent as problem details (RFC 9457).
package struct ControlProblem: Error, Hashable, Sendable {
    package let status: Int
    /// Says what is wrong and what to do next.
    package let detail: String

    package init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    static func bad(_ detail: String) -> ControlProblem { ControlProblem(400, detail) }

    package var response: ServiceResponse {
        let title =
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 405: "Method not allowed"
            default: "Bad request"
            }
        var answer = ServiceResponse.json(
            [
                ("type", "about:blank"), ("title", .string(title)), ("status", .integer(Int64(status))),
                ("detail", .string(detail)),
            ], status: status)
        answer.headers["content-type"] = "application/problem+json"
        return answer
    }
}

/// Takes the members of a JSON object of the control API or of a document one by one. Members that are left at the end
/// are misspelt.
struct ControlBody {
    private var members: [String: JSONValue]
    /// The name of the object in messages.
    private let what: String
    private var known: [String] = []

    init(_ value: JSONValue, _ what: String) throws(ControlProblem) {
        guard let members = value.object else { throw .bad("\(what) is \(value.kindInWords); an object is wanted") }
        self.members = members
        self.what = what
    }

    mutating func value(_ key: String) -> JSONValue? {
        known.append(key)
        return members.removeValue(forKey: key).flatMap { $0 == .null ? nil : $0 }
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(ControlProblem) -> Double? {
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

    mutating func isTrue(_ key: String) throws(ControlProblem) -> Bool {
        guard let value = value(key) else { return false }
        guard value == .bool(true) else { throw .bad("\(what): \(key) takes true") }
        return true
    }

    /// A time as RFC 3339 or Unix seconds, in milliseconds since 1970.
    mutating func time(_ key: String) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let time = ScalarText.text(value).flatMap({ TimeText.milliseconds(ofTime: $0) }) else {
            throw wrong(key, value, "a time such as 2026-05-20T20:49:32Z, or Unix seconds,")
        }
        return time
    }

    mutating func duration(_ key: String, _ range: ClosedRange<Int64>) throws(ControlProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let duration = value.string.flatMap({ TimeText.milliseconds(ofDuration: $0) }), range.contains(duration)
        else { throw wrong(key, value, TimeText.durationForm) }
        return duration
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, _: Word.Type
    ) throws(ControlProblem) -> Word? where Word.RawValue == String {
        guard let value = value(key) else { return nil }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = value.string.flatMap({ Word(rawValue: $0) }) else {
            throw wrong(key, value, "one of \(words)")
        }
        return word
    }

    /// Throws if the object has a member that was not taken.
    func finish() throws(ControlProblem) {
        guard let key = members.keys.sorted().first else { return }
        throw .bad("\(what): there is no key \(ShownText.quoted(key)); there are \(known.joined(separator: ", "))")
    }

    private func wrong(_ key: String, _ value: JSONValue, _ wanted: String) -> ControlProblem {
        .bad("\(what): \(key) is \(value.kindInWords) that does not fit; \(wanted) is wanted")
    }
}
