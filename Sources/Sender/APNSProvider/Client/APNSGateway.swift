public import APNSModel

/// The server that notifications are sent to: one of Apple's hosts, or a gateway simulator.
public struct APNSGateway: Hashable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: Int

    public init(host: String, port: Int = 443) {
        self.host = host
        self.port = port
    }

    /// The ports of Apple's services.
    public enum ApplePort: Int, Hashable, Sendable {
        case standard = 443
        /// For networks that let no other traffic than that of APNs out, or block port 443.
        case alternative = 2197
    }

    /// Apple's service.
    public init(_ environment: APNSEnvironment, port: ApplePort = .standard) {
        self.init(host: environment.host, port: port.rawValue)
    }

    /// Apple's service for apps that Xcode installed, `api.sandbox.push.apple.com`.
    public static let sandbox = APNSGateway(.sandbox)
    /// Apple's service for apps from the App Store and TestFlight, `api.push.apple.com`.
    public static let production = APNSGateway(.production)

    public static func sandbox(port: ApplePort) -> APNSGateway { APNSGateway(.sandbox, port: port) }

    public static func production(port: ApplePort) -> APNSGateway { APNSGateway(.production, port: port) }

    /// The gateway simulator on this machine, as `apns gateway` starts it. Its certificate is signed by its own authority:
    /// trust `certs/dev/ca.pem`.
    public static func simulator(port: Int = 8443) -> APNSGateway { APNSGateway(host: "127.0.0.1", port: port) }

    /// Reads the same as `init(url:)`, and throws an error that says what is wrong.
    public init(parsing url: some StringProtocol) throws(APNSValueError) {
        guard let gateway = APNSGateway(url: url) else {
            // What is before an @ may be a password.
            let shown = url.contains("@") ? "a text with a user" : ShownText.quoted(url)
            throw APNSValueError(
                .gateway,
                url.hasPrefix("http://")
                    ? "\(shown) has the scheme http; a gateway has TLS: https://HOST or https://HOST:PORT"
                    : "\(shown) is not a gateway; write https://HOST or https://HOST:PORT, with a port from 1 to 65535, "
                        + "without user, path and query")
        }
        self = gateway
    }

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
