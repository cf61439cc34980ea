/// What a server found out about the certificate of its client.
///
/// A bad one does not end the handshake: APNs answers it on the HTTP/2 level, so the gateway must be able to.
package enum PeerVerification: Hashable, Sendable {
    /// The client sent no certificate.
    case none
    case trusted
    /// The client proved that it holds the key, but the certificate does not verify; OpenSSL's words say why.
    case untrusted(String)
}
