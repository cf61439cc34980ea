/// What a server knows about the certificate of its client.
///
/// A bad one does not end the handshake, because APNs answers it in HTTP/2, and so does the gateway.
package enum PeerVerification: Hashable, Sendable {
    /// The client sent no certificate.
    case none
    case trusted
    /// The client has the key, but the certificate does not verify, for this reason from OpenSSL.
    case untrusted(String)
}
