/// Who may call a control API.
///
/// Without a token the API listens on loopback, and any web page that a browser on this machine shows can send requests
/// to it. So the `Host` header must name this machine: a page that reaches it by DNS rebinding sends its own name.
package struct ControlAccess: Sendable {
    /// The address that the API listens on.
    package let host: String
    /// What `Authorization: Bearer` must carry; nil asks for nothing.
    package let token: String?

    package init(host: String, token: String?) {
        self.host = host
        self.token = token
    }

    /// Whether a request with this `Host` header may be answered. With a token any name is accepted.
    package func accepts(host named: String) -> Bool {
        guard token == nil else { return true }
        let name = LoopbackHost.withoutPort(named)
        return LoopbackHost.isLoopback(name) || name.lowercased() == host.lowercased()
    }

    /// Whether a request with this `Authorization` header, or without one, shows the token.
    package func accepts(authorization: String?) -> Bool {
        guard let token else { return true }
        return BearerToken.matches(token, authorization: authorization)
    }
}
