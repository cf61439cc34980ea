import NIOHTTP1

extension HTTPRequestHead {
    /// Makes an absolute request target, `http://host/path`, one of path and query, with its host as that of the request: the
    /// `Host` header does not count then (RFC 9112, 3.2.2). More than one such header stays, and is refused later.
    mutating func takeHostOfTarget() {
        // `CONNECT` has a host alone, and a path never begins with a letter.
        guard method != .CONNECT, !uri.hasPrefix("/"), let colon = uri.firstRange(of: "://") else { return }
        let rest = uri[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let (host, path) = (String(rest[..<end]), String(rest[end...]))
        uri = path.hasPrefix("/") ? path : "/" + path
        if headers["host"].count <= 1 { headers.replaceOrAdd(name: "host", value: host) }
    }
}
