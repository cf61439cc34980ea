internal import COpenSSL

/// The settings of TLS sessions: trust, identity, protocols. All connections of one end share a context.
package final class TLSContext: Sendable {
    enum Role { case client, server }

    let role: Role
    let handle: ContextHandle
    /// The target of a callback. The sessions retain this context, so it outlives them.
    private let chooser: IdentityChooser?

    private init(_ role: Role, _ handle: consuming ContextHandle, _ chooser: IdentityChooser? = nil) {
        self.role = role
        self.handle = handle
        self.chooser = chooser
    }

    /// - Parameters:
    ///   - identity: What the client sends when the server asks for a certificate; nil sends none, which APNs accepts.
    ///   - alpn: Offered in this order; an empty list offers nothing. If the server chooses none,
    ///     `negotiatedProtocol` is nil.
    ///   - maximum: Nil is the newest version that OpenSSL has.
    package static func client(
        trust: TLSTrust, identity: TLSIdentity?, alpn: [String] = ["h2"], minimum: TLSVersion = .tls12,
        maximum: TLSVersion? = nil
    ) throws(TLSError) -> TLSContext {
        let handle = try ContextHandle(TLS_client_method(), alpn: alpn, minimum: minimum, maximum: maximum)
        try handle.trust(trust)
        if let identity { try handle.use(identity) }
        try handle.offerProtocols()
        SSL_CTX_set_verify(handle.raw, SSL_VERIFY_PEER, nil)
        return TLSContext(.client, handle)
    }

    /// - Parameters:
    ///   - clientTrust: The authorities that make `TLSSession.peerVerification` `.trusted`; nil is none.
    ///   - requestsClientCertificate: APNs always does (docs/reference/apns.md 1.2). An untrusted one does not end the
    ///     handshake.
    ///   - alpn: A client that offers only other protocols gets the alert `no_application_protocol`. One that offers nothing
    ///     is accepted, with `negotiatedProtocol` nil.
    ///   - identityForName: The certificate for a client that asks for this host (SNI), or with nil for none. If it is nil or
    ///     returns nil, the client gets `identity`. It is called on the thread of the connection, during the handshake.
    package static func server(
        identity: TLSIdentity, clientTrust: TLSTrust?, requestsClientCertificate: Bool = true,
        alpn: [String] = ["h2"], minimum: TLSVersion = .tls12, maximum: TLSVersion? = nil,
        identityForName: (@Sendable (String?) -> TLSIdentity?)? = nil
    ) throws(TLSError) -> TLSContext {
        precondition(!alpn.isEmpty, "a server needs a protocol")
        let handle = try ContextHandle(TLS_server_method(), alpn: alpn, minimum: minimum, maximum: maximum)
        try handle.use(identity)
        if let clientTrust { try handle.trust(clientTrust) }
        handle.selectProtocols()
        if requestsClientCertificate { TLSPolicy.requestClientCertificate(in: handle.raw) }
        let chooser = identityForName.map { IdentityChooser($0) }
        if let chooser { handle.choose(by: chooser) }
        return TLSContext(.server, handle, chooser)
    }
}
