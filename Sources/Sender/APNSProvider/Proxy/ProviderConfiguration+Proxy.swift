import APNSModel
package import APNSTransport
import TLSSession

extension ProviderConfiguration {
    /// Whether connections go through an HTTP proxy, which opens a tunnel for each (CONNECT). TLS is always with the gateway,
    /// inside the tunnel: a proxy sees its host and port only.
    public enum Proxy: Hashable, Sendable {
        /// Connects to the gateway directly.
        case none
        /// What the environment variables say when the provider is made: `https_proxy` or `HTTPS_PROXY` is the URL of a proxy,
        /// and `no_proxy` or `NO_PROXY` lists the hosts that are reached without it. A gateway on this machine is always
        /// reached without it.
        case environment
        /// This proxy, for every gateway.
        ///
        /// - Parameter host: A host name or an address without brackets.
        case http(host: String, port: Int, credentials: ProxyCredentials? = nil)
        /// This proxy, for every gateway, which is spoken to over TLS: its certificate is verified, and nobody between here
        /// and the proxy sees the credentials and which gateway is asked for.
        ///
        /// - Parameters:
        ///   - host: The proxy's certificate must have this name or address.
        ///   - trust: The authorities of the proxy's certificate. Those of the gateway are `ProviderConfiguration.trust`.
        case https(host: String, port: Int, credentials: ProxyCredentials? = nil, trust: Trust = .system)
    }
}

/// A user and a password for a proxy, which are sent as Basic authentication: in clear text, if the
/// proxy is not one of `https`. No description shows them.
public struct ProxyCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let user: String
    let password: String

    /// Fails for a user with a colon and for control characters, which Basic authentication cannot carry (RFC 7617).
    public init?(user: String, password: String) {
        guard !user.utf8.contains(UInt8(ascii: ":")),
            (user + password).unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.user = user
        self.password = password
    }

    public var description: String { "a user and a password" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of `proxy-authorization`.
    var authorization: String {
        let encoded = Base64.encode(Array("\(user):\(password)".utf8))
        return "Basic \(String(decoding: encoded, as: UTF8.self))"
    }
}

extension ProviderConfiguration.Proxy {
    /// Reads `http://HOST`, `http://HOST:PORT` or `http://USER:PASSWORD@HOST:PORT`; user and password are percent-encoded.
    /// `https` is TLS with the proxy, whose certificate the system's authorities must have issued. Without a port it is 80,
    /// or 443 for `https`; without a scheme it is `http`.
    ///
    /// - Throws: `ProviderConfigurationError`, which does not quote the URL, because it may have a password.
    public init(url: some StringProtocol) throws(ProviderConfigurationError) {
        var rest = Substring(url)
        var usesTLS = false
        if let range = rest.firstRange(of: "://") {
            let scheme = rest[..<range.lowerBound].lowercased()
            usesTLS = scheme == "https"
            guard scheme == "http" || usesTLS else {
                let isWord = scheme.utf8.count <= 20 && scheme.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
                throw .proxy(
                    "has the scheme \(isWord ? scheme : "of no proxy"), and only http:// and https:// are supported")
            }
            rest = rest[range.upperBound...]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        var credentials: ProxyCredentials?
        if let at = rest.lastIndex(of: "@") {
            credentials = try ProviderConfiguration.Proxy.credentials(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        var port = usesTLS ? 443 : 80
        let afterBracket = rest.lastIndex(of: "]") ?? rest.startIndex
        if let colon = rest[afterBracket...].lastIndex(of: ":") {
            guard let number = NetworkAddress.port(rest[rest.index(after: colon)...]) else {
                throw .proxy("has no port from 1 to 65535 after its host")
            }
            port = number
            rest = rest[..<colon]
        }
        let isBracketed = rest.hasPrefix("[") && rest.hasSuffix("]")
        if isBracketed { rest = rest.dropFirst().dropLast() }
        guard NetworkAddress.isHost(rest), rest.contains(":") == isBracketed else {
            throw .proxy("has no host name or address; it has the form http://USER:PASSWORD@HOST:PORT")
        }
        self =
            usesTLS
            ? .https(host: String(rest), port: port, credentials: credentials)
            : .http(host: String(rest), port: port, credentials: credentials)
    }

    private static func credentials(_ text: Substring) throws(ProviderConfigurationError) -> ProxyCredentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = decoded(parts[0]), let password = parts.count > 1 ? decoded(parts[1]) : "",
            let credentials = ProxyCredentials(user: user, password: password)
        else { throw .proxy("has a user or a password that is not percent-encoded, or that no proxy can read") }
        return credentials
    }

    /// Percent-decoded; nil for a `%` without two hexadecimal digits, and for what is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }),
                let low = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue })
            else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension ProviderConfiguration {
    /// The proxy for the gateway; nil connects directly.
    func transportProxy(_ environment: ProxyEnvironment) throws(ProviderConfigurationError) -> TransportProxy? {
        try proxy.transportProxy(for: gateway, environment)
    }

    /// Throws for a proxy that cannot be used, also where the environment names it.
    package func checkProxy() throws(ProviderConfigurationError) { _ = try transportProxy(.current) }
}

extension ProviderConfiguration.Proxy {
    /// The proxy for connections to `gateway` from this process; nil connects directly.
    package func transportProxy(for gateway: APNSGateway) throws(ProviderConfigurationError) -> TransportProxy? {
        try transportProxy(for: gateway, .current)
    }

    fileprivate func transportProxy(
        for gateway: APNSGateway, _ environment: ProxyEnvironment
    ) throws(ProviderConfigurationError) -> TransportProxy? {
        switch self {
        case .none: nil
        case .environment: try environment.proxy(for: gateway)?.transportProxy()
        case .http, .https: try transportProxy()
        }
    }

    fileprivate func transportProxy() throws(ProviderConfigurationError) -> TransportProxy? {
        let (host, port, credentials, trust): (String, Int, ProxyCredentials?, ProviderConfiguration.Trust?)
        switch self {
        case .none, .environment: return nil
        case .http(let itsHost, let itsPort, let its): (host, port, credentials, trust) = (itsHost, itsPort, its, nil)
        case .https(let itsHost, let itsPort, let its, let itsTrust):
            (host, port, credentials, trust) = (itsHost, itsPort, its, itsTrust)
        }
        guard NetworkAddress.isPort(port) else {
            throw .proxy("has the port \(port); a port is a number from 1 to 65535")
        }
        guard NetworkAddress.isHost(host) else {
            throw .proxy(
                "has the host \"\(ShownText.cut(host, to: 60))\", which is neither a host name nor an address without "
                    + "brackets")
        }
        return TransportProxy(
            host: host, port: port, authorization: credentials?.authorization, tls: try trust.map(Self.context))
    }

    /// The proxy is spoken to in HTTP/1.1, so it is offered no protocol.
    private static func context(
        _ trust: ProviderConfiguration.Trust
    ) throws(ProviderConfigurationError) -> TLSContext {
        do throws(TLSError) {
            return try TLSContext.client(trust: trust.authorities, identity: nil, alpn: [])
        } catch {
            throw .proxy("cannot be verified: \(error)")
        }
    }
}

extension ProviderConfigurationError {
    static func proxy(_ words: String) -> ProviderConfigurationError {
        ProviderConfigurationError(detail: "the proxy \(words)")
    }
}
