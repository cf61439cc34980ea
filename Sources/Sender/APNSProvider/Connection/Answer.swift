import APNSModel
import PayloadJSON

/// The answer to one notification as far as it was received.
struct Answer {
    var head = ResponseHead()
    var body: [UInt8] = []

    /// 0 until the head was received.
    var status: Int { head.status }

    /// The answer as a `Reply`.
    ///
    /// - Parameter sentID: The id that the notification was sent with, for an answer without one.
    func reply(sentID: NotificationID) -> Reply {
        let apnsID = head.apnsID ?? sentID
        guard status != 200 else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        let (code, timestamp) = Answer.read(body)
        return .refused(
            Refusal(
                .named(code ?? "", status: status), apnsID: apnsID, timestamp: timestamp,
                retryAfter: head.retryAfter.map { .seconds($0) }))
    }

    /// The reason in the JSON of a body or of a GOAWAY's debug data.
    static func reason(in body: [UInt8]) -> String? { read(body).0 }

    /// The longest reason of Apple's has 27 characters.
    private static let maximumReason = 200

    /// The reason, cut with a mark where it is too long for a message, and the timestamp in a body. An unreadable body has
    /// neither, and the answer is the status alone.
    private static func read(_ body: [UInt8]) -> (String?, Int64?) {
        guard !body.isEmpty, let document = try? JSONDocument(body), document.kind(of: .root) == .object else {
            return (nil, nil)
        }
        let reason = document.member("reason", of: .root).flatMap { document.string(of: $0) }
            .map { ShownText.cut($0, to: maximumReason) }
        let timestamp = document.member("timestamp", of: .root).flatMap { document.integer(of: $0) }
        return (reason, timestamp)
    }
}
