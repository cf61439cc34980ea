import APNSModel

/// The origin of a web page: a scheme, a host and perhaps a port (RFC 6454).
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, as browsers send it.
    private let text: String
    /// The host with its port, as in `Host`; in lower case.
    package let authority: String

    package static let form = "an origin such as https://push.example.com"

    /// Fails unless `text` is `http://HOST` or `https://HOST`, perhaps with a port, and with nothing behind it.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        var authority = text.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789.-:[]")
        guard !authority.isEmpty, authority.count <= 255, authority.allSatisfy({ letters.contains($0) }) else {
            return nil
        }
        self.authority = String(authority)
        self.text = scheme + authority
    }

    /// Without the port.
    package var host: String { LoopbackHost.withoutPort(authority) }

    package var description: String { text }

    /// Whether a request with this `Origin` comes from it.
    package func isSame(as origin: String) -> Bool { origin.lowercased() == text }
}
