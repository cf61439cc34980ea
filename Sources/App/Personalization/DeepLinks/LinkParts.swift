/// The parts of an `https` link, checked and percent-decoded once.
///
/// It is stricter than a browser: where readers of URLs differ, such as at a backslash, the link is refused.
struct LinkParts: Hashable, Sendable {
    static let maximumBytes = 2_048

    /// In lower case.
    var host: String
    /// The parts of the path, without empty ones.
    var path: [String]
    /// The first value of each parameter.
    var parameters: [String: String]

    init(_ text: String) throws(DeepLinkRefusal) {
        guard text.utf8.count <= LinkParts.maximumBytes else { throw .tooLong }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !Array("\\\"<>^`{|}".utf8).contains($0) }) else {
            throw .malformed
        }
        let scheme = Array("https://".utf8)
        guard String(decoding: bytes.prefix(scheme.count), as: UTF8.self).lowercased() == "https://" else {
            throw LinkParts.hasScheme(bytes) ? DeepLinkRefusal.scheme : .malformed
        }
        var rest = bytes.dropFirst(scheme.count)
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        var query = rest[rest.endIndex...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        host = try LinkParts.host(rest[..<slash])
        path = try LinkParts.path(rest[slash...])
        parameters = LinkParts.parameters(query)
    }

    private static func hasScheme(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        return bytes[..<colon].allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private static func host(_ authority: ArraySlice<UInt8>) throws(DeepLinkRefusal) -> String {
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        var host = authority
        if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            guard String(decoding: authority[colon...], as: UTF8.self) == ":443" else { throw .port }
            host = authority[..<colon]
        }
        guard !host.isEmpty,
            host.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
        else { throw .malformed }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    private static func path(_ bytes: ArraySlice<UInt8>) throws(DeepLinkRefusal) -> [String] {
        guard !bytes.isEmpty else { return [] }
        var parts = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // One slash at the end says nothing. Two in a row can lead to another host in some readers.
        if parts.last?.isEmpty == true { parts.removeLast() }
        var path: [String] = []
        for part in parts {
            guard !part.isEmpty else { throw .path }
            guard let text = decode(part) else { throw .encoding }
            guard staysPlain(text) else { throw .path }
            path.append(text)
        }
        return path
    }

    /// Whether a text can be one part of a path: no separator, no control character, not `.` and not `..`.
    static func isPlain(_ text: String) -> Bool {
        text != "." && text != ".."
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != "/" && scalar != "\\" && scalar.properties.generalCategory != .control
            }
    }

    /// What is encoded twice stays encoded once, unless decoding it again would make a way out.
    static func staysPlain(_ text: String) -> Bool {
        isPlain(text) && decode(Array(text.utf8)[...]).map(isPlain) ?? true
    }

    private static func parameters(_ query: ArraySlice<UInt8>) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: UInt8(ascii: "&")).prefix(100) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(sides[0]), sides.count == 2 else { continue }
            // In a query a plus is a blank.
            let blank = sides[1].map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            guard let value = decode(blank[...]), parameters[name] == nil else { continue }
            parameters[name] = value
        }
        return parameters
    }

    /// Nil unless each `%` stands before two hexadecimal digits and the result is UTF-8.
    private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "%") else {
                decoded.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.endIndex, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2]) else {
                return nil
            }
            decoded.append(high << 4 | low)
            index += 3
        }
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : nil
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
