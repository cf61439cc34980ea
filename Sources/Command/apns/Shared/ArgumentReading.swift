import APNSModel
import APNSPayload
import ArgumentParser
import GatewayServer

/// Turns the text of options into types; what it throws becomes status 64 with the option named before it.
enum ArgumentReading {
    static func pushType(_ text: String) throws -> PushType {
        let type = PushType(rawValue: text)
        if type.isKnown { return type }
        let known = PushType.known.map(\.rawValue)
        // Unknown is data, but a capital or a slip of the finger is none.
        if let meant = Suggestion.best(for: text, among: known) { throw ValidationError("did you mean \(meant)?") }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("it must be one of \(known.joined(separator: ", "))")
        }
        return type
    }

    static func schema(_ text: String) throws -> PayloadSchema {
        let known = PayloadSchema.allCases.map(\.rawValue)
        return try read(PayloadSchema(rawValue: text), "it must be one of \(known.joined(separator: ", "))")
    }

    static func topic(_ text: String) throws -> Topic {
        try read(Topic(text), "it must be a bundle id such as com.example.app, with a suffix for some push types")
    }

    static func priority(_ text: String) throws -> Priority {
        try read(Int(text).flatMap(Priority.init(rawValue:)), "it must be 1, 5 or 10")
    }

    static func expiration(_ text: String) throws -> Expiration {
        if text == "once" { return .once }
        return try read(
            Int64(text).flatMap(Expiration.init(secondsSince1970:)),
            "it must be whole seconds since 1970-01-01 UTC, or once for a single attempt without storage")
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
            "it must have 1 to \(CollapseID.maximumBytes) bytes, without control characters; this has "
                + "\(text.utf8.count)")
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

    private static func read<Value>(_ value: Value?, _ wanted: String) throws -> Value {
        guard let value else { throw ValidationError(wanted) }
        return value
    }
}
