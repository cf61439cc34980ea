import APNSModel
import APNSProvider
import PayloadJSON

/// The result of a broadcast, as `apns send --channel` prints it.
struct BroadcastLine: Hashable, Sendable {
    var channelID: ChannelID
    var requestID: String
    var outcome: APNSOutcome
    var duration: Duration
    /// The line of the input, from 1; nil for a channel of an option.
    var line: Int?

    /// A broadcast that was not passed to the provider in this run.
    init(_ broadcast: APNSBroadcast, _ outcome: APNSOutcome, line: Int?) {
        self.init(
            channelID: broadcast.channelID, requestID: broadcast.id?.text ?? "", outcome: outcome, duration: .zero,
            line: line)
    }

    init(channelID: ChannelID, requestID: String, outcome: APNSOutcome, duration: Duration, line: Int? = nil) {
        self.channelID = channelID
        self.requestID = requestID
        self.outcome = outcome
        self.duration = duration
        self.line = line
    }

    /// For people: mark, channel, outcome, `apns-request-id`, and what to do about a refusal.
    func text(style: Style) -> String {
        var id = requestID.isEmpty ? "" : "apns-request-id \(PlainText.safe(requestID))"
        if let line, outcome.name != "accepted" { id += id.isEmpty ? "line \(line)" : "  line \(line)" }
        switch outcome {
        case .accepted: return "\(style.good("✓")) \(channelID) accepted  \(id)"
        case .refused(let refusal):
            let wait = refusal.retryAfter.map { "; the gateway asks to wait \(DurationText.short($0))" } ?? ""
            return "\(style.bad("✗")) \(channelID) refused   \(RefusalText.reason(refusal.reason, style: style))  \(id)"
                + "\n    \(RefusalAdvice.line(forBroadcast: refusal.reason))\(wait)"
        case .unsent(let error): return "\(style.bad("✗")) \(channelID) unsent    \(error.code.rawValue)  \(id)"
        case .unknown(let error): return "\(style.doubtful("?")) \(channelID) unknown   \(error.code.rawValue)  \(id)"
        }
    }

    /// For scripts: one JSON object with the keys of docs/reference/interfaces.md 1.2.
    var json: String {
        var members = [
            #""apns-channel-id":\#(JSONWriter.quoted(channelID.base64))"#,
            #""apns-request-id":\#(requestID.isEmpty ? "null" : JSONWriter.quoted(requestID))"#,
            #""outcome":"\#(outcome.name)""#,
        ]
        switch outcome {
        case .accepted: members.append(#""status":200,"reason":null"#)
        case .refused(let refusal): members.append(RefusalText.members(refusal))
        case .unsent(let error), .unknown(let error):
            members.append(
                #""status":null,"reason":null,"error":\#(JSONWriter.quoted(error.code.rawValue)),"#
                    + #""detail":\#(JSONWriter.quoted(error.detail))"#)
        }
        members.append(#""milliseconds":\#(DurationText.decimal(duration.inMilliseconds, places: 1))"#)
        if let line { members.append(#""line":\#(line)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}

/// The parts of results about a refusal that broadcasts and requests about channels share.
enum RefusalText {
    static func reason(_ reason: Reason, style: Style) -> String {
        "\(style.strong(reason.code.isEmpty ? "no reason" : PlainText.safe(reason.code))) (\(reason.status))"
    }

    /// The members `status`, `reason` and, where the gateway asks for a wait, `retry-after`.
    static func members(_ refusal: Refusal) -> String {
        let code = refusal.reason.code
        let wait = refusal.retryAfter.map { #","retry-after":\#($0.components.seconds)"# } ?? ""
        return
            #""status":\#(refusal.reason.status),"reason":\#(code.isEmpty ? "null" : JSONWriter.quoted(code))\#(wait)"#
    }
}
