public import APNSModel

/// What became of a send. Every submission gets exactly one.
public enum APNSOutcome: Hashable, Sendable {
    /// The gateway took it.
    case accepted(apnsID: String, uniqueID: String?)
    /// The gateway said no.
    case refused(Refusal)
    /// Surely never processed by the gateway; sending it again cannot deliver it twice.
    case unsent(APNSSendError)
    /// Written, but no answer came: it may have been delivered. Send it again only with the same `apns-id`, and only where
    /// a double is better than a loss.
    case unknown(APNSSendError)

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

    /// The answer; throws the error where there is none.
    func reply() throws(APNSSendError) -> Reply {
        switch self {
        case .accepted(let apnsID, let uniqueID): .accepted(apnsID: apnsID, uniqueID: uniqueID)
        case .refused(let refusal): .refused(refusal)
        case .unsent(let error), .unknown(let error): throw error
        }
    }
}
