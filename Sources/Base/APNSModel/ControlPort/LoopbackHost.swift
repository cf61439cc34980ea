/// The names and addresses that mean only this machine.
package enum LoopbackHost {
    /// - Parameter host: A name or an address without port; an IPv6 address with or without brackets.
    package static func isLoopback(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        if name.hasSuffix(".") { name.removeLast() }
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { isByte($0) }
    }

    /// Removes the port from the value of a `Host` header, or from the authority of an origin.
    package static func withoutPort(_ authority: String) -> String {
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            return String(authority[...bracket])
        }
        guard let colon = authority.lastIndex(of: ":") else { return authority }
        return String(authority[..<colon])
    }

    /// Where this machine reaches what listens on `host`: an address that means all interfaces is none to connect to, and
    /// becomes the loopback address.
    package static func address(reaching host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// `address(reaching:)` as a host in a URL.
    package static func inURL(_ host: String) -> String {
        let name = address(reaching: host)
        return name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    }

    private static func isByte(_ text: Substring) -> Bool {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (Int(text) ?? 256) < 256
    }
}
