public import APNSModel

/// The server that notifications are sent to: one of Apple's hosts, or a gateway simulator.
public struct APNSGateway: Hashable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: Int

    public init(host: String, port: Int = 443) {
        self.host = host
        self.port = port
    }

    /// Apple's service on port 443. Where a firewall blocks that port, use 2197.
    public init(_ environment: APNSEnvironment) { self.init(host: environment.host) }

    /// Fails unless `url` has the form `https://host` or `https://host:port`. An IPv6 address is in brackets.
    public init?(url: some StringProtocol) {
        guard url.hasPrefix("https://") else { return nil }
        var rest = Substring(url.dropFirst("https://".count))
        if rest.hasSuffix("/") { rest.removeLast() }
        var port = 443
        let afterBracket = rest.lastIndex(of: "]") ?? rest.startIndex
        if let colon = rest[afterBracket...].lastIndex(of: ":") {
            guard let number = Int(rest[rest.index(after: colon)...]), (1...65535).contains(number) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty, !rest.contains(where: { "/?#@ []".contains($0) }) else { return nil }
        self.init(host: String(rest), port: port)
    }

    public var description: String { host.contains(":") ? "https://[\(host)]:\(port)" : "https://\(host):\(port)" }

    /// The value of `:authority`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }
}
