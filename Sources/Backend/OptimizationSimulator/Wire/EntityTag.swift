/// Entity tags of replies (RFC 9110, 8.8.3).
enum EntityTag {
    /// The 64-bit FNV-1a hash of the bytes, in quotes.
    static func text(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return "\"" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
    }

    /// Whether the header `If-None-Match` names a tag. Weak and strong ones count alike.
    static func isNamed(_ tag: String, by header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            // A tag has no blanks.
            let named = part.filter { $0 != " " }
            return named == "*" || (named.hasPrefix("W/") ? String(named.dropFirst(2)) : named) == tag
        }
    }
}
