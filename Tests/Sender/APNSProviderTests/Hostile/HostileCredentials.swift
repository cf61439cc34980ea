import COpenSSL
import Foundation

@testable import TLSSession

/// Certificates and TLS settings of servers that a sender must refuse.
struct HostileCredentials: Sendable {
    let authority: DevelopmentAuthority
    let trusted: [UInt8]
    let client: TLSIdentity

    static let now = Int64(Date().timeIntervalSince1970)
    static let valid = CertificateValidity(days: 2, from: now)

    init() throws {
        authority = try DevelopmentAuthority(validity: Self.valid)
        trusted = try authority.certificatePEM
        client = try authority.client(PushCertificateRequest(bundleID: "com.example.app"), validity: Self.valid)
    }

    /// A server that is as it should be.
    func context(
        _ validity: CertificateValidity = valid, version: TLSVersion? = nil, alpn: [String] = ["h2"]
    ) throws -> TLSContext {
        try .server(
            identity: authority.server(validity: validity), clientTrust: nil, alpn: alpn, minimum: version ?? .tls12,
            maximum: version)
    }

    func context(identity: TLSIdentity) throws -> TLSContext { try .server(identity: identity, clientTrust: nil) }

    /// A server whose OpenSSL settings are changed.
    func context(version: TLSVersion? = nil, _ change: (OpaquePointer) -> Void) throws -> TLSContext {
        let context = try context(version: version)
        change(context.handle.raw)
        return context
    }
}

extension TLSSession {
    func withHandle(_ body: (OpaquePointer) -> Void) { body(handle.raw) }
}
