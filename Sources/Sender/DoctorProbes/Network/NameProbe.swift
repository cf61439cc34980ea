import Doctor

#if canImport(Glibc)
    import Glibc
    private let datagram = Int32(SOCK_DGRAM.rawValue)
    private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let datagram = SOCK_DGRAM
    private let stream = SOCK_STREAM
#else
    import Darwin
    private let datagram = SOCK_DGRAM
    private let stream = SOCK_STREAM
#endif

/// Asks the resolver of the system, and the routing table.
enum NameProbe {
    private static let maximumAddresses = 64

    static func evidence(host: String, port: Int) -> NameEvidence {
        // Every name below localhost is this machine (RFC 6761 6.3), but not every resolver knows that.
        let name = host.lowercased().hasSuffix(".localhost") ? "localhost" : host
        var hints = addrinfo()
        hints.ai_socktype = stream
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, String(port), &hints, &list)
        guard status == 0 else {
            return NameEvidence(host: host, addresses: [], failure: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [NameEvidence.Address] = []
        var next = list
        while let entry = next, addresses.count < maximumAddresses {
            if let address = address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return NameEvidence(host: host, addresses: addresses)
    }

    private static func address(_ entry: addrinfo) -> NameEvidence.Address? {
        guard entry.ai_family == AF_INET || entry.ai_family == AF_INET6 else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let shown = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return NameEvidence.Address(shown, isIPv6: entry.ai_family == AF_INET6, hasRoute: hasRoute(entry))
    }

    /// Connecting a datagram socket looks up the route, and sends nothing.
    private static func hasRoute(_ entry: addrinfo) -> Bool {
        let descriptor = socket(entry.ai_family, datagram, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0
    }
}
