/// What became of one notification of a load run; the texts say why.
package enum LoadOutcome: Hashable, Sendable {
    case accepted
    case refused(String)
    case unsent(String)
    case unknown(String)
}
