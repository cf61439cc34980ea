/// Where a gateway's control API is.
public struct ControlEndpoint: Hashable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: Int
    /// What the control API asks for when it is bound to more than loopback.
    public var token: String?

    public init(host: String, port: Int, token: String? = nil) {
        self.host = host
        self.port = port
        self.token = token
    }

    /// Fails unless `url` is of the form `http://host:port`.
    public init?(url: some StringProtocol, token: String? = nil) {
        guard url.hasPrefix("http://") else { return nil }
        var rest = Substring(url.dropFirst("http://".count))
        if rest.hasSuffix("/") { rest.removeLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { "/?#@ []".contains($0) }) else { return nil }
        self.init(host: String(host), port: port, token: token)
    }

    public var description: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }
}
