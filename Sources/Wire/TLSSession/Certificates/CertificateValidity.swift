/// The time for which a certificate is valid, both ends included, in seconds since 1970-01-01 UTC.
package struct CertificateValidity: Hashable, Sendable {
    package var notBefore: Int64
    package var notAfter: Int64

    package init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Starts one hour before `now`, so that a client whose clock is slow accepts it.
    ///
    /// - Parameter days: Apple's platforms refuse server certificates of more than 825 days.
    package init(days: Int64, from now: Int64) {
        self.init(notBefore: now - 3600, notAfter: now + days * 86_400)
    }
}
