import APNSModel
import APNSPayload
import ArgumentParser
import SystemFiles

/// Turns the values of options into types. ArgumentParser puts the name of the option before the message of an error, and
/// ends the command with status 64.
enum ArgumentReading {
    static func schema(_ text: String) throws -> PayloadSchema {
        let known = PayloadSchema.allCases.map(\.rawValue)
        return try read(PayloadSchema(rawValue: text), "it must be one of \(known.joined(separator: ", "))")
    }

    static func rulesPage(_ text: String) throws -> RuleLinks {
        try read(RuleLinks(text), "it must be an address such as https://example.com/rules.html, without a fragment")
    }

    static func topic(_ text: String) throws -> Topic {
        try read(Topic(text), "it must be a bundle id such as com.example.app, with a suffix for some push types")
    }

    static func priority(_ text: String) throws -> Priority {
        try read(Int(text).flatMap(Priority.init(rawValue:)), "it must be 1, 5 or 10")
    }

    /// - Returns: Seconds since 1970.
    static func time(_ text: String) throws -> Int64 {
        try read(
            TimeText.milliseconds(ofTime: text).map { $0 / 1000 },
            "it must be seconds since 1970-01-01 UTC, or a time such as 2026-11-21T07:00:00Z")
    }

    static func collapseID(_ text: String) throws -> CollapseID {
        try read(
            CollapseID(text),
            "it must have 1 to \(CollapseID.maximumBytes) bytes, without control characters and without white space at "
                + "its ends; this has \(text.utf8.count)")
    }

    static func notificationID(_ text: String) throws -> NotificationID {
        try read(
            NotificationID(text),
            "it must be a UUID in its canonical form, such as 8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162")
    }

    static func timeout(_ text: String) throws -> Duration {
        let range = 0.001...86_400
        guard let seconds = Double(text), range.contains(seconds) else {
            throw ValidationError("it must be seconds from 0.001 to 86400")
        }
        return .seconds(seconds)
    }

    static func connections(_ text: String) throws -> Int {
        guard let count = Int(text), (1...1000).contains(count) else {
            throw ValidationError("it must be a number from 1 to 1000")
        }
        return count
    }

    /// One of the values of an enumeration.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Value {
        let known = Value.allCases.map(\.rawValue).joined(separator: " or ")
        return try read(Value(rawValue: text), "it must be \(known)")
    }

    static func readers(_ text: String) throws -> FileReaders {
        try read(FileReaders(text), "it must be the name of a group of this machine, or a number")
    }

    static func port(_ text: String) throws -> Int {
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw ValidationError("it must be a port from 0 to 65535")
        }
        return port
    }

    static func positiveNumber(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw ValidationError("it must be a number from 1") }
        return number
    }

    static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number >= 0 else { throw ValidationError("it must be a number from 0") }
        return number
    }

    /// - Parameter least: The shortest duration, in milliseconds.
    /// - Returns: Milliseconds.
    static func milliseconds(_ text: String, from least: Int64) throws -> Int64 {
        guard let milliseconds = TimeText.milliseconds(ofDuration: text), milliseconds >= least else {
            throw ValidationError("it must be a duration like 90s, 10m or 2h")
        }
        return milliseconds
    }

    /// A duration from 1 ms to 24 hours.
    static func duration(_ text: String) throws -> Duration {
        guard let milliseconds = TimeText.milliseconds(ofDuration: text), (1...86_400_000).contains(milliseconds) else {
            throw ValidationError("it must be a duration like 500ms, 10s or 5m, up to 24h")
        }
        return .milliseconds(milliseconds)
    }

    private static func read<Value>(_ value: Value?, _ wanted: String) throws -> Value {
        guard let value else { throw ValidationError(wanted) }
        return value
    }
}
