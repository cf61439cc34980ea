/// Who may use the control API.
///
/// On loopback it asks for nothing, and every web page that a browser of this machine shows can send requests to it: so a
/// call has to name this machine as its host, which a page that was rebound to it by DNS does not, and may not come from
/// a page. The REST interface needs no such care, because it asks for an access token.
struct OrgGuard: Sendable {
    /// The address that was bound.
    let host: String
    /// What `Authorization: Bearer` must carry; nil asks for nothing.
    let token: String?

    func problem(with call: OrgRequest) -> OrgProblem? {
        guard call.path == OrgWorld.controlRoot || call.path.hasPrefix(OrgWorld.controlRoot + "/") else { return nil }
        guard call.headers["origin"] == nil else {
            return OrgProblem(403, "the request comes from a web page, and pages may not use the control API")
        }
        guard let token else {
            let named = OrgGuard.withoutPort(call.headers["host"] ?? "")
            guard OrgGuard.isLoopback(named) || named.lowercased() == host.lowercased() else {
                return OrgProblem(
                    403,
                    "the Host header names another machine; use localhost or 127.0.0.1, or start with --control-token")
            }
            return nil
        }
        let words = (call.headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer",
            OrgGuard.isEqual(Array(words[1].utf8), Array(token.utf8))
        else {
            return OrgProblem(
                401,
                "send the header Authorization: Bearer with the token that the org was started with (--control-token)")
        }
        return nil
    }

    /// Takes a time that depends on the length of `left` alone.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard !right.isEmpty else { return false }
        var difference: UInt8 = left.count == right.count ? 0 : 1
        for (index, byte) in left.enumerated() { difference |= byte ^ right[index % right.count] }
        return difference == 0
    }

    /// Whether a name or an address means this machine alone.
    static func isLoopback(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
    }

    private static func withoutPort(_ authority: String) -> String {
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            return String(authority[...bracket])
        }
        guard let colon = authority.lastIndex(of: ":") else { return authority }
        return String(authority[..<colon])
    }

    /// An address as it stands in a URL. One that means all addresses becomes that of this machine.
    static func inURL(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        }
    }
}
