public import APNSModel

/// The outcome of a send. Every notification gets exactly one.
public enum APNSOutcome: Hashable, Sendable {
    /// The gateway accepted the notification.
    case accepted(apnsID: NotificationID, uniqueID: String?)
    /// The gateway refused the notification, with a reason.
    indirect case refused(Refusal)
    /// The gateway surely did not process the notification. Sending it again cannot deliver it twice.
    indirect case unsent(APNSSendError)
    /// The notification was written, but no answer came: it may have been delivered. Send it again only with the same
    /// `apns-id`, and only if a duplicate is better than a loss.
    indirect case unknown(APNSSendError)

    public init(_ reply: Reply) {
        switch reply {
        case .accepted(let apnsID, let uniqueID): self = .accepted(apnsID: apnsID, uniqueID: uniqueID)
        case .refused(let refusal): self = .refused(refusal)
        }
    }

    /// The value of the key `outcome` in the command line's results.
    public var name: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .unsent: "unsent"
        case .unknown: "unknown"
        }
    }

    /// The answer; throws the error if there is none.
    func reply() throws(APNSSendError) -> Reply {
        switch self {
        case .accepted(let apnsID, let uniqueID): .accepted(apnsID: apnsID, uniqueID: uniqueID)
        case .refused(let refusal): .refused(refusal)
        case .unsent(let error), .unknown(let error): throw error
        }
    }
}
