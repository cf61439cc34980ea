/// The format of a string in an application contract.
public enum ContractFormat: Hashable, Sendable {
    case any
    /// 15 or 18 letters and digits; the last three of 18 must match the others (docs/reference/selective-sync.md
    /// section 5).
    case recordID
    /// 8-4-4-4-12 hexadecimal digits.
    case uuid
    /// A calendar date, `2026-05-20` (RFC 3339 `full-date`).
    case date
    /// A time with its offset from UTC, `2026-05-20T20:49:32Z` (RFC 3339 `date-time`). An offset without colon, as some
    /// servers write it, is accepted as well.
    case dateTime
    /// An absolute URL with one of these schemes, in lower case; an empty array allows any scheme.
    case url(schemes: [String] = [])
    /// An even, non-zero number of hexadecimal digits.
    case hex
    /// Base64 with its padding (RFC 4648 section 4).
    case base64
    /// One of these strings.
    case oneOf([String])
    /// The whole string matches.
    case pattern(TextPattern)
}

extension ContractFormat: CustomStringConvertible {
    /// The format with its article, for messages.
    public var description: String {
        switch self {
        case .any: "a string"
        case .recordID: "a string of 15 or 18 digits and letters"
        case .uuid: "a UUID in the form 8-4-4-4-12"
        case .date: "a date such as 2026-05-20"
        case .dateTime: "a time such as 2026-05-20T20:49:32Z"
        case .url(let schemes) where schemes.isEmpty: "an absolute URL"
        case .url(let schemes): "a URL that begins with \(ContractFormat.choice(schemes.map { $0 + ":" }))"
        case .hex: "an even number of hexadecimal digits"
        case .base64: "base64 with its padding"
        case .oneOf(let texts): ContractFormat.choice(texts.map { "\"\($0)\"" })
        case .pattern(let pattern): "a string that matches \(pattern.source)"
        }
    }

    private static func choice(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
