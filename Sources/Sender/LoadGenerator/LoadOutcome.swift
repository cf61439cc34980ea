/// The outcome of one notification of a load run, with its reason.
package enum LoadOutcome: Hashable, Sendable {
    case accepted
    case refused(String)
    case unsent(String)
    case unknown(String)

    /// Nil if accepted.
    var reason: String? {
        switch self {
        case .accepted: nil
        case .refused(let reason), .unsent(let reason), .unknown(let reason): reason
        }
    }
}
