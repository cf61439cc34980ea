package import APNSModel
import APNSPayload
package import GatewayCore
package import PayloadJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One line of a record: a request as far as it was recorded, and its verdict.
package struct RecordedLine: Sendable {
    /// The compared parts of a verdict, by the keys of the record.
    package struct Verdict: Hashable, Sendable {
        package var outcome: String
        package var status: Int?
        package var reason: String?
        package var timestamp: Int64?
        package var rule: String
        package var why: String
        package var isVerified: Bool
        /// The ids of the validator's rules.
        package var findings: [String]
    }

    /// Records of older gateways name none; then it is the default world.
    package var world: WorldName
    package var kind: RequestKind
    package var token: String?
    package var topic: String?
    package var pushType: String?
    package var priority: String?
    package var expiration: String?
    package var collapseID: String?
    package var channelID: String?
    package var apnsID: String
    package var payload: [UInt8]
    package var payloadBytes: Int
    /// Milliseconds since 1970.
    package var received: Int64
    package var environment: APNSEnvironment
    package var keyID: String?
    package var teamID: String?
    /// Whether the control API sent it, which requires no credentials.
    package var isFromControl: Bool
    package var hasFault: Bool
    package var verdict: Verdict

    /// What is missing or wrong in a line.
    package struct Fault: Error {
        package let description: String
    }

    package init(_ line: [UInt8], with reader: inout JSONReader) throws(Fault) {
        do throws(JSONSyntaxError) {
            try reader.parse(line)
        } catch {
            throw Fault(description: "it is not JSON: \(error)")
        }
        let document = reader.document
        guard document.kind(of: .root) == .object else { throw Fault(description: "it is not a JSON object") }
        func text(_ key: StaticString) -> String? {
            document.member(key, of: .root).flatMap { document.string(of: $0) }
        }
        func number(_ key: StaticString) -> Int64? {
            document.member(key, of: .root).flatMap { document.integer(of: $0) }
        }
        func needed<Value>(_ value: Value?, _ key: String) throws(Fault) -> Value {
            guard let value else {
                throw Fault(description: "its key \"\(key)\" is missing or has the wrong type")
            }
            return value
        }
        world = try needed(text("world").map { WorldName($0) } ?? .standard, "world")
        kind = text("request").map { RequestKind(rawValue: $0) ?? .unknownChannelRequest } ?? .notification
        token = text("token")
        topic = text("apns-topic")
        pushType = text("apns-push-type")
        priority = number("apns-priority").map { "\($0)" } ?? text("apns-priority")
        expiration = number("apns-expiration").map { "\($0)" } ?? text("apns-expiration")
        collapseID = text("apns-collapse-id")
        channelID = text("apns-channel-id")
        apnsID = text("apns-id") ?? text("apns-request-id") ?? ""
        if let base64 = text("payload-base64") {
            payload = Array(try needed(Data(base64Encoded: base64), "payload-base64"))
        } else {
            let value = try needed(document.member("payload", of: .root), "payload")
            payload = Array(line[document.range(of: value)])
        }
        payloadBytes = Int(try needed(number("payload-bytes"), "payload-bytes"))
        received = try needed(text("received").flatMap { TimeText.milliseconds(ofTime: $0) }, "received")
        environment = try needed(text("environment").flatMap { APNSEnvironment(rawValue: $0) }, "environment")
        keyID = text("key-id")
        teamID = text("team-id")
        isFromControl = text("sent-by") == "control"
        hasFault = document.member("fault", of: .root) != nil
        var findings: [String] = []
        if let list = document.member("findings", of: .root), document.kind(of: list) == .array {
            for finding in document.elements(of: list) {
                findings += document.member("rule", of: finding).flatMap { document.string(of: $0) }.map { [$0] } ?? []
            }
        }
        let isVerified = document.member("verified", of: .root).map { document.source(of: $0) == "true" }
        verdict = Verdict(
            outcome: try needed(text("outcome"), "outcome"), status: number("status").map { Int($0) },
            reason: text("reason"), timestamp: number("timestamp"), rule: try needed(text("rule"), "rule"),
            why: try needed(text("why"), "why"), isVerified: try needed(isVerified, "verified"), findings: findings)
    }
}

extension RecordedLine.Verdict {
    /// The verdict of a journal entry.
    package init(_ entry: JournalEntry) {
        let given = entry.verdict
        var timestamp: Int64?
        if case .refused(_, let time) = given.outcome { timestamp = time }
        self.init(
            outcome: NotificationQuery.Outcome(given.outcome).rawValue, status: given.status,
            reason: given.reason?.code, timestamp: timestamp, rule: given.rule, why: given.why,
            isVerified: entry.isVerified, findings: entry.findings.map(\.rule))
    }

    /// Every field that differs.
    package func differences(from now: RecordedLine.Verdict) -> [ReplayDifference] {
        func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "none" }
        let fields = [
            ("outcome", outcome, now.outcome), ("status", text(status), text(now.status)),
            ("reason", text(reason), text(now.reason)), ("timestamp", text(timestamp), text(now.timestamp)),
            ("rule", rule, now.rule), ("why", why, now.why),
            ("verified", "\(isVerified)", "\(now.isVerified)"),
            ("findings", findings.joined(separator: " "), now.findings.joined(separator: " ")),
        ]
        return fields.filter { $0.1 != $0.2 }.map { ReplayDifference(field: $0.0, recorded: $0.1, now: $0.2) }
    }
}

/// A field of a verdict that differs from the recorded one.
package struct ReplayDifference: Hashable, Sendable {
    package let field: String
    package let recorded: String
    package let now: String
}
