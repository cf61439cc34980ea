/// The secret that clients of a control API send.
enum BearerToken {
    /// Whether an `Authorization` header carries the token. The time this takes depends only on the length of the header,
    /// so that it does not show how much of a guess was right.
    static func matches(_ token: String, authorization: String?) -> Bool {
        let words = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return isEqual(Array(words[1].utf8), Array(token.utf8))
    }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard !right.isEmpty else { return false }
        var difference: UInt8 = left.count == right.count ? 0 : 1
        for (index, byte) in left.enumerated() { difference |= byte ^ right[index % right.count] }
        return difference == 0
    }
}
