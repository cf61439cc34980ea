/// Checks of host names and ports where they are given, so that a wrong one is not found by a failed connect.
package enum NetworkAddress {
    /// A port from its decimal digits; nil for anything else, and for numbers outside of 1 to 65,535.
    package static func port(_ text: some StringProtocol) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), let port = Int(text), isPort(port)
        else { return nil }
        return port
    }

    package static func isPort(_ number: Int) -> Bool { (1...65535).contains(number) }

    /// Whether `host` can be a host name, an IPv4 address or an IPv6 address without brackets.
    ///
    /// A name has at most 253 bytes. Its labels have 1 to 63 ASCII letters, digits, `-` and `_`, without `-` at either end; an
    /// internationalized name is in its ASCII form (`xn--`). A name whose last label is a number is an IPv4 address.
    package static func isHost(_ host: some StringProtocol) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return isIPv6(Substring(host)) }
        let name = host.hasSuffix(".") ? Substring(host).dropLast() : Substring(host)
        guard (1...253).contains(name.utf8.count) else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return false }
        return labels.last?.utf8.allSatisfy(isDigit) == true ? isIPv4(Substring(host)) : true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
            && label.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == hyphen || $0 == UInt8(ascii: "_") }
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy {
                (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) && (Int($0) ?? 256) < 256
            }
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        var address = text
        if let percent = address.firstIndex(of: "%") {
            // The zone is the name of a network interface.
            let zone = address[percent...].dropFirst()
            guard !zone.isEmpty, zone.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "]") }) else {
                return false
            }
            address = address[..<percent]
        }
        var groups = 0
        let halves = halves(of: address)
        for half in halves where !half.isEmpty {
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                let isLast = index == parts.count - 1 && half.endIndex == address.endIndex
                if isLast, part.contains(".") {
                    guard isIPv4(part) else { return false }
                    groups += 2
                } else {
                    guard (1...4).contains(part.utf8.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                        return false
                    }
                    groups += 1
                }
            }
        }
        return halves.count == 2 ? groups < 8 : groups == 8
    }

    /// The parts before and after the first `::`; the whole address where there is none.
    private static func halves(of address: Substring) -> [Substring] {
        var index = address.startIndex
        while let colon = address[index...].firstIndex(of: ":") {
            let next = address.index(after: colon)
            guard next < address.endIndex else { break }
            if address[next] == ":" { return [address[..<colon], address[address.index(after: next)...]] }
            index = next
        }
        return [address]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
