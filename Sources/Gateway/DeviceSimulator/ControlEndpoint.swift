/// The address of a gateway's control API.
public struct ControlEndpoint: Hashable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: Int
    /// The token that the control API needs when it is bound to more than loopback.
    public var token: String?
    /// The path of the world, as `/w/{name}`; empty for the default world.
    public var path = ""

    public init(host: String, port: Int, token: String? = nil, path: String = "") {
        self.host = host
        self.port = port
        self.token = token
        self.path = path
    }

    /// Fails unless `url` is of the form `http://host:port` or `http://host:port/w/world`.
    public init?(url: some StringProtocol, token: String? = nil) {
        guard url.hasPrefix("http://") else { return nil }
        var rest = Substring(url.dropFirst("http://".count))
        var path = ""
        if rest.hasSuffix("/") { rest.removeLast() }
        if let slash = rest.firstIndex(of: "/") {
            path = String(rest[slash...])
            rest = rest[..<slash]
            let name = path.dropFirst(ControlEndpoint.worlds.count)
            guard path.hasPrefix(ControlEndpoint.worlds), !name.isEmpty,
                name.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) })
            else { return nil }
        }
        guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { "/?#@ []".contains($0) }) else { return nil }
        self.init(host: String(host), port: port, token: token, path: path)
    }

    private static let worlds = "/w/"

    /// The value of the header `host`.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    public var description: String { "http://\(authority)\(path)" }
}
