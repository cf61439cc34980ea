internal import COpenSSL

/// What many sessions have in common: trust, identity, protocols. Made once, shared by all connections of one end.
package final class TLSContext: Sendable {
    enum Role { case client, server }

    let role: Role
    let handle: ContextHandle
    /// What OpenSSL calls back; it lives as long as the sessions, which keep this context.
    private let chooser: IdentityChooser?

    private init(_ role: Role, _ handle: consuming ContextHandle, _ chooser: IdentityChooser? = nil) {
        self.role = role
        self.handle = handle
        self.chooser = chooser
    }

    /// - Parameters:
    ///   - identity: What the client shows when the server asks; nil shows nothing, which APNs accepts.
    ///   - alpn: Offered in this order; an empty list offers nothing. A server that picks none leaves
    ///     `negotiatedProtocol` nil.
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
    ///   - clientTrust: Which authorities make `TLSSession.peerVerification` say trusted; nil is none.
    ///   - requestsClientCertificate: APNs always does (docs/reference/apns.md 1.2). An untrusted one does not end the
    ///     handshake.
    ///   - alpn: A client that offers others only gets the alert `no_application_protocol`; one that offers nothing is
    ///     let in with `negotiatedProtocol` nil.
    ///   - identityForName: What to show a client that asks for this host (SNI); nil, or an answer of nil, shows
    ///     `identity`. Called on the thread of the connection, during its handshake.
    package static func server(
        identity: TLSIdentity, clientTrust: TLSTrust?, requestsClientCertificate: Bool = true,
        alpn: [String] = ["h2"], minimum: TLSVersion = .tls12, maximum: TLSVersion? = nil,
        identityForName: (@Sendable (String) -> TLSIdentity?)? = nil
    ) throws(TLSError) -> TLSContext {
        precondition(!alpn.isEmpty, "a server has a protocol")
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
