import APNSModel
import PayloadJSON

/// The answer to one notification while it comes in.
struct Answer {
    var head = ResponseHead()
    var body: [UInt8] = []

    /// 0 until the head has come.
    var status: Int { head.status }

    /// The answer, once its end has come.
    ///
    /// - Parameter sentID: The id that the notification was sent with, for an answer that does not repeat it.
    func reply(sentID: String) -> Reply {
        let apnsID = head.apnsID ?? sentID
        guard status != 200 else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        let (code, timestamp) = Answer.read(body)
        return .refused(Refusal(.named(code ?? "", status: status), apnsID: apnsID, timestamp: timestamp))
    }

    /// The reason in the JSON of a body, or of the debug data of a GOAWAY.
    static func reason(in body: [UInt8]) -> String? { read(body).0 }

    /// The reason and the timestamp in a body. Unreadable bodies have neither: the status is an answer by itself.
    private static func read(_ body: [UInt8]) -> (String?, Int64?) {
        guard !body.isEmpty, let document = try? JSONDocument(body), document.kind(of: .root) == .object else {
            return (nil, nil)
        }
        let reason = document.member("reason", of: .root).flatMap { document.string(of: $0) }
        let timestamp = document.member("timestamp", of: .root).flatMap { document.integer(of: $0) }
        return (reason, timestamp)
    }
}
