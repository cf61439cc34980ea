import APNSModel
import APNSProvider
import PayloadJSON

/// The result of a notification, as `apns send` prints it.
struct ResultLine: Hashable, Sendable {
    var deviceToken: DeviceToken
    /// Empty for a notification without an id that was not sent.
    var apnsID: String
    var outcome: APNSOutcome
    var attempts: Int
    var duration: Duration
    /// The recorded outcome; nil for a notification that is not from a record.
    var recorded: RecordedVerdict?

    init(_ result: APNSSendResult) {
        deviceToken = result.notification.deviceToken
        apnsID = result.apnsID
        outcome = result.outcome
        attempts = result.attempts
        duration = result.duration
    }

    /// A notification that was not passed to the provider.
    init(unsent notification: APNSNotification, _ error: APNSSendError) { self.init(notification, .unsent(error)) }

    /// A notification that was not passed to the provider in this run.
    init(_ notification: APNSNotification, _ outcome: APNSOutcome) {
        deviceToken = notification.deviceToken
        apnsID = notification.id?.text ?? ""
        self.outcome = outcome
        attempts = 0
        duration = .zero
    }

    /// For people: mark, shortened device token, outcome, `apns-id`, and what to do about a refusal.
    func text(style: Style) -> String {
        let device = PlainText.safe(deviceToken.shortened)
        let id = apnsID.isEmpty ? "" : "  apns-id \(PlainText.safe(apnsID))"
        switch outcome {
        case .accepted(let apnsID, let uniqueID):
            let unique = uniqueID.map { "  apns-unique-id \(PlainText.safe($0))" } ?? ""
            return "\(style.good("✓")) \(device) accepted  apns-id \(PlainText.safe(apnsID))\(unique)"
        case .refused(let refusal):
            let reason = refusal.reason
            let since = refusal.timestamp.map { " (\(UTCText.text($0 / 1000)))" } ?? ""
            return
                "\(style.bad("✗")) \(device) refused   \(style.strong(reason.code.isEmpty ? "no reason" : PlainText.safe(reason.code))) (\(reason.status))\(id)"
                + "\n    \(RefusalAdvice.line(for: reason))\(since)\(wait(refusal.retryAfter))"
        case .unsent(let error): return "\(style.bad("✗")) \(device) unsent    \(error.code.rawValue)\(id)"
        case .unknown(let error): return "\(style.doubtful("?")) \(device) unknown   \(error.code.rawValue)\(id)"
        }
    }

    private func wait(_ duration: Duration?) -> String {
        duration.map { "; the gateway asks to wait \(DurationText.short($0))" } ?? ""
    }

    /// For scripts: one JSON object with the keys of docs/reference/interfaces.md 1.2 and the whole device token. Where
    /// there is no answer also `error` and `detail`, and `retry-after` where the gateway asked for a wait. For a notification from a record also `recorded`, and as `differs` whether the answer is another one now.
    var json: String {
        var apnsID: String? = apnsID.isEmpty ? nil : apnsID
        var uniqueID: String?
        var status: Int?
        var reason: String?
        var timestamp: Int64?
        var more = ""
        switch outcome {
        case .accepted(let id, let unique):
            apnsID = id
            uniqueID = unique
            status = 200
        case .refused(let refusal):
            apnsID = refusal.apnsID ?? apnsID
            status = refusal.reason.status
            reason = refusal.reason.code.isEmpty ? nil : refusal.reason.code
            timestamp = refusal.timestamp
            if let wait = refusal.retryAfter { more += #","retry-after":\#(wait.components.seconds)"# }
        case .unsent(let error), .unknown(let error):
            more += #","error":\#(JSONWriter.quoted(error.code.rawValue)),"detail":\#(JSONWriter.quoted(error.detail))"#
        }
        if let recorded {
            more += #","recorded":\#(recorded.json),"differs":\#(recorded.difference(from: outcome) != nil)"#
        }
        return """
            {"token":\(JSONWriter.quoted(deviceToken.hex)),"apns-id":\(ResultLine.quoted(apnsID)),\
            "apns-unique-id":\(ResultLine.quoted(uniqueID)),"outcome":"\(outcome.name)",\
            "status":\(ResultLine.number(status)),"reason":\(ResultLine.quoted(reason)),"timestamp":\(ResultLine.number(timestamp)),\
            "attempts":\(attempts),"milliseconds":\
            \(DurationText.decimal(duration.inMilliseconds, places: 1))\(more)}
            """
    }

    private static func quoted(_ text: String?) -> String { text.map { JSONWriter.quoted($0) } ?? "null" }

    private static func number(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "null" }
}
