import APNSModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The hosts that are reached without a proxy: the value of `NO_PROXY`.
///
/// Entries are separated by commas or white space. An entry is `*` for all hosts; a host name for itself and the names below
/// it; a name after `.` or `*.` for the names below it only; an address; or a range of addresses, such as `10.0.0.0/8`. An
/// entry may have a port, as in `example.com:8443` or `[::1]:8443`. Anything else matches nothing.
struct ProxyExceptions {
    private struct Entry {
        enum Host {
            case all
            case name(String, isBelowOnly: Bool)
            /// - Parameter prefix: How many leading bits count.
            case addresses([UInt8], prefix: Int)
        }
        var host: Host
        var port: Int?
    }

    private let entries: [Entry]

    init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.compactMap { ProxyExceptions.entry(String($0)) }
    }

    func contains(host: String, port: Int) -> Bool {
        let name = ProxyExceptions.normalized(host)
        let address = ProxyExceptions.bytes(of: name)
        return entries.contains { entry in
            guard entry.port.map({ $0 == port }) ?? true else { return false }
            switch entry.host {
            case .all: return true
            case .name(let known, let isBelowOnly):
                return address == nil && (name.hasSuffix("." + known) || !isBelowOnly && name == known)
            case .addresses(let known, let prefix):
                return address.map { ProxyExceptions.agree($0, known, bits: prefix) } ?? false
            }
        }
    }

    /// Whether `host` is this machine: `localhost`, a name below it (RFC 6761 6.3), or a loopback address in any form.
    /// `LoopbackHost` knows the usual forms only, because it also decides who needs no authentication.
    static func isLoopback(_ host: String) -> Bool {
        if LoopbackHost.isLoopback(host) { return true }
        guard let address = bytes(of: normalized(host)) else { return false }
        return address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static func entry(_ text: String) -> Entry? {
        var rest = Substring(text)
        if rest == "*" { return Entry(host: .all, port: nil) }
        if let slash = rest.firstIndex(of: "/") {
            guard let address = bytes(of: String(rest[..<slash])), let prefix = Int(rest[rest.index(after: slash)...]),
                (0...address.count * 8).contains(prefix)
            else { return nil }
            return Entry(host: .addresses(address, prefix: prefix), port: nil)
        }
        var port: Int?
        // More than one colon without brackets is an IPv6 address.
        let isBracketed = rest.hasPrefix("[")
        if let colon = rest.lastIndex(of: ":"),
            isBracketed ? rest[..<colon].hasSuffix("]") : rest.firstIndex(of: ":") == colon
        {
            guard let number = NetworkAddress.port(rest[rest.index(after: colon)...]) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if isBracketed {
            guard rest.hasSuffix("]") else { return nil }
            rest = rest.dropFirst().dropLast()
        }
        if let address = bytes(of: String(rest)) {
            return Entry(host: .addresses(address, prefix: address.count * 8), port: port)
        }
        let isBelowOnly = rest.hasPrefix(".") || rest.hasPrefix("*.")
        if isBelowOnly { rest = rest.drop { $0 == "*" }.dropFirst() }
        guard !isBracketed, NetworkAddress.isHost(rest) else { return nil }
        return Entry(host: .name(normalized(rest), isBelowOnly: isBelowOnly), port: port)
    }

    /// In lower case, without the dot that ends a complete name.
    private static func normalized(_ host: some StringProtocol) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The 4 or 16 bytes of an address; nil for a name. An IPv4 address in the form of IPv6 has 4.
    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var sixteen = in6_addr()
        let address = text.firstIndex(of: "%").map { String(text[..<$0]) } ?? text
        guard inet_pton(AF_INET6, address, &sixteen) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: sixteen) { Array($0) }
        let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
        return isMapped ? Array(bytes[12...]) : bytes
    }

    private static func agree(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
        guard left.count == right.count else { return false }
        return left.indices.allSatisfy { index in
            let count = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> count)
            return left[index] & mask == right[index] & mask
        }
    }
}
