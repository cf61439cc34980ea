package import TLSSession

/// Decides when a gateway makes a new server certificate for itself: when a third of the life of the current one is left, or
/// when the machine's clock was set back to before it. The authority has to be valid then.
package struct CertificateRenewal: Hashable, Sendable {
    /// When the current certificate is good for some time, in seconds since 1970.
    private let kept: Range<Int64>
    /// When a certificate of the authority is accepted, in seconds since 1970.
    private let possible: ClosedRange<Int64>

    /// Nil where no new certificate would be valid for longer.
    package init?(of server: CertificateFacts, by authority: CertificateFacts) {
        guard server.notBefore < server.notAfter, authority.notBefore <= authority.notAfter,
            server.notAfter < authority.notAfter
        else { return nil }
        kept = server.notBefore..<(server.notAfter - (server.notAfter - server.notBefore) / 3)
        possible = authority.notBefore...authority.notAfter
    }

    /// - Parameter now: Seconds since 1970.
    package func isDue(at now: Int64) -> Bool { possible.contains(now) && !kept.contains(now) }
}
