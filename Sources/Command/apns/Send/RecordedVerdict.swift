import APNSModel
import APNSProvider
import PayloadJSON

/// The outcome of a notification in a line that `apns gateway --record` wrote.
struct RecordedVerdict: Hashable, Sendable {
    enum Answer: Hashable, Sendable, CustomStringConvertible {
        case accepted
        case refused(status: Int, reason: String)
        /// The gateway did not answer.
        case none

        var description: String {
            switch self {
            case .accepted: "accepted"
            case .refused(let status, let reason): "refused \(status) \(PlainText.safe(reason))"
            case .none: "no answer"
            }
        }
    }

    /// `file:line`.
    let place: String
    let answer: Answer
    /// The size of the body. The record may have fewer bytes of it.
    let payloadBytes: Int

    /// Fails for an envelope that is not a line of a record.
    init?(_ line: [UInt8], place: String, with reader: inout JSONReader) {
        do throws(JSONSyntaxError) {
            try reader.parse(line)
        } catch {
            return nil
        }
        let document = reader.document
        guard document.member("received", of: .root) != nil, document.member("verified", of: .root) != nil,
            let outcome = document.member("outcome", of: .root).flatMap({ document.string(of: $0) })
        else { return nil }
        switch outcome {
        case "accepted": answer = .accepted
        case "refused":
            guard let status = document.member("status", of: .root).flatMap({ document.integer(of: $0) }),
                let reason = document.member("reason", of: .root).flatMap({ document.string(of: $0) })
            else { return nil }
            answer = .refused(status: Int(status), reason: reason)
        case "unprocessed": answer = .none
        default: return nil
        }
        payloadBytes = Int(document.member("payload-bytes", of: .root).flatMap { document.integer(of: $0) } ?? 0)
        self.place = place
    }

    /// The member `recorded` of a result line of `--json`.
    var json: String {
        let answer =
            switch answer {
            case .accepted: #""outcome":"accepted","status":200,"reason":null"#
            case .refused(let status, let reason):
                #""outcome":"refused","status":\#(status),"reason":\#(JSONWriter.quoted(reason))"#
            case .none: #""outcome":"unprocessed","status":null,"reason":null"#
            }
        return #"{"place":\#(JSONWriter.quoted(place)),\#(answer)}"#
    }

    /// A sentence about an outcome that differs from the recorded one; nil for the same outcome.
    func difference(from outcome: APNSOutcome) -> String? {
        let now: Answer
        switch outcome {
        case .accepted: now = .accepted
        case .refused(let refusal): now = .refused(status: refusal.reason.status, reason: refusal.reason.code)
        case .unsent(let error), .unknown(let error):
            guard answer != .none else { return nil }
            return "\(place): recorded \(answer), now \(outcome.name): \(error.code.rawValue)"
        }
        return now == answer ? nil : "\(place): recorded \(answer), now \(now)"
    }
}
