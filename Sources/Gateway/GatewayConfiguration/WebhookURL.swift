import APNSModel

/// The URL of a webhook: `http://host:port/path`, or with `https`.
package struct WebhookURL: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: Int
    /// Includes the query.
    package let target: String

    /// Whether it is `https`.
    package let isSecure: Bool

    private static let schemes: [(text: String, isSecure: Bool, port: Int)] = [
        ("http://", false, 80), ("https://", true, 443),
    ]
    private static let maximumBytes = 2048

    /// The form, for messages.
    package static let form = "http://host:port/path or https://host:port/path"

    /// Fails for anything but `http://host` or `https://host`, `:port`, a path and a query, in printable ASCII.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= WebhookURL.maximumBytes,
            let scheme = WebhookURL.schemes.first(where: { text.hasPrefix($0.text) }),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.text.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        guard !authority.contains("@"), !rest.contains("#") else { return nil }
        if let colon = authority.lastIndex(of: ":"), authority[colon...].firstIndex(of: "]") == nil {
            guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else {
                return nil
            }
            self.port = port
            authority = authority[..<colon]
        } else {
            port = scheme.port
        }
        var host = String(authority)
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
        self.host = host
        isSecure = scheme.isSecure
        target = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }

    /// Whether the events stay on this machine.
    package var isLoopback: Bool { LoopbackHost.isLoopback(host) }

    /// The value of the header `host`.
    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package var description: String { (isSecure ? "https://" : "http://") + authority + target }
}
