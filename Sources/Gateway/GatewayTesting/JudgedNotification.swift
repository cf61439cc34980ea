public import APNSModel
import GatewayCore

/// A request that the gateway judged.
public struct JudgedNotification: Hashable, Sendable {
    /// As in the path; nil if there was none.
    public let deviceToken: String?
    public let topic: String?
    public let pushType: String?
    /// The value of the header as it was sent.
    public let priority: String?
    public let expiration: String?
    public let collapseID: String?
    public let channelID: String?
    /// The gateway's id for it.
    public let uniqueID: String
    public let apnsID: String
    /// Nil if the gateway did not refuse it.
    public let reason: Reason?
    /// Whether the gateway accepted it.
    public let isAccepted: Bool
    /// The id of the check that decided; `fault` if a fault rule did.
    public let rule: String
    /// The reason for the decision, as a sentence.
    public let why: String
    public let payload: [UInt8]
    /// What happened to it, oldest first: `accepted`, `stored`, `delivered` and so on.
    public let life: [String]

    init(_ entry: JournalEntry) {
        deviceToken = entry.token
        topic = entry.topic
        pushType = entry.pushType
        priority = entry.priority
        expiration = entry.expiration
        collapseID = entry.collapseID
        channelID = entry.channelID
        uniqueID = entry.uniqueID
        apnsID = entry.verdict.apnsID
        reason = entry.verdict.reason
        isAccepted = entry.verdict.isAccepted
        rule = entry.verdict.rule
        why = entry.verdict.why
        payload = entry.payload
        life = entry.life.map(\.stage.rawValue)
    }
}
