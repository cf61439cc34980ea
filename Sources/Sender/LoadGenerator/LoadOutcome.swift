/// What became of one notification of a load run; the texts say why.
package enum LoadOutcome: Hashable, Sendable {
    case accepted
    case refused(String)
    case unsent(String)
    case unknown(String)

    /// Nil for accepted.
    var reason: String? {
        switch self {
        case .accepted: nil
        case .refused(let reason), .unsent(let reason), .unknown(let reason): reason
        }
    }
}
