/// Decides, as time passes, when to say that a certificate ends: some days before, and at its end, each once.
package struct CertificateWatch: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case valid
        /// It ends within `warningTime`.
        case ending
        case expired
    }

    /// In seconds.
    package static let warningTime: Int64 = 7 * 86_400

    /// Seconds since 1970.
    private let end: Int64
    package private(set) var phase = Phase.valid

    /// - Parameter end: The last second at which it is valid, since 1970.
    package init(until end: Int64) { self.end = end }

    /// - Parameter now: Seconds since 1970.
    /// - Returns: The phase that begins; nil if it is the same as before.
    package mutating func pass(to now: Int64) -> Phase? {
        let next: Phase = now > end ? .expired : now + CertificateWatch.warningTime > end ? .ending : .valid
        guard next != phase else { return nil }
        phase = next
        return next
    }
}
