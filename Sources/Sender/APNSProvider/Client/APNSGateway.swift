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

    /// Fails unless `url` has the form `https://host` or `https://host:port`, with a host that can exist and a port from 1 to
    /// 65,535. An IPv6 address is in brackets.
    public init?(url: some StringProtocol) {
        guard url.hasPrefix("https://") else { return nil }
        var rest = Substring(url.dropFirst("https://".count))
        if rest.hasSuffix("/") { rest.removeLast() }
        var port = 443
        let afterBracket = rest.lastIndex(of: "]") ?? rest.startIndex
        if let colon = rest[afterBracket...].lastIndex(of: ":") {
            guard let number = NetworkAddress.port(rest[rest.index(after: colon)...]) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        let isBracketed = rest.hasPrefix("[") && rest.hasSuffix("]")
        if isBracketed { rest = rest.dropFirst().dropLast() }
        guard NetworkAddress.isHost(rest), rest.contains(":") == isBracketed else { return nil }
        self.init(host: String(rest), port: port)
    }

    public var description: String { host.contains(":") ? "https://[\(host)]:\(port)" : "https://\(host):\(port)" }

    /// Why there can be no such server; nil when there can.
    var problem: String? {
        if !NetworkAddress.isPort(port) { return "the gateway's port is \(port); a port is a number from 1 to 65535" }
        guard !NetworkAddress.isHost(host) else { return nil }
        return
            "the gateway's host \"\(ShownText.cut(host, to: 60))\" is neither a host name nor an address; give a name in "
            + "ASCII letters, digits, dots and hyphens, or an address without brackets"
    }

    /// The value of `:authority`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }
}
