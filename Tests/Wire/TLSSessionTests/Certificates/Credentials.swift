@testable import TLSSession

/// An authority with the certificates that it issued, valid at `now`.
struct Credentials {
    /// 2027-01-15T08:00:00Z. No test reads the machine's clock.
    static let now: Int64 = 1_800_000_000
    static let validity = CertificateValidity(days: 365, from: now)

    let authority: DevelopmentAuthority
    let server: TLSIdentity
    let client: TLSIdentity

    init(serverValidity: CertificateValidity = validity) throws(TLSError) {
        authority = try DevelopmentAuthority(validity: CertificateValidity(days: 3650, from: Credentials.now))
        server = try authority.server(validity: serverValidity)
        client = try authority.client(.mail, validity: Credentials.validity)
    }

    var trust: TLSTrust { get throws(TLSError) { .certificates(pem: try authority.certificatePEM) } }

    func clientContext(
        identity: TLSIdentity? = nil, alpn: [String] = ["h2"], version: TLSVersion? = nil
    ) throws(TLSError) -> TLSContext {
        try .client(trust: trust, identity: identity, alpn: alpn, minimum: version ?? .tls12, maximum: version)
    }

    func serverContext(version: TLSVersion? = nil) throws(TLSError) -> TLSContext {
        try .server(identity: server, clientTrust: trust, minimum: version ?? .tls12, maximum: version)
    }
}

extension PushCertificateRequest {
    static let mail = PushCertificateRequest(
        bundleID: "com.example.mail", teamID: "ABCDE12345", isVoIP: true,
        topics: universalTopics(bundleID: "com.example.mail"))
}
