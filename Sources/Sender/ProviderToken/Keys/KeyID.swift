/// The 10 characters that identify a signing key. They are in the name of its file, `AuthKey_KEYID.p8`, and not inside it.
public struct KeyID: Hashable, Sendable {
    public let value: String

    /// Fails unless `text` is 10 characters out of `0`-`9` and `A`-`Z`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, text.utf8.allSatisfy(\.isIdentifierCharacter) else { return nil }
        value = String(text)
    }
}

extension KeyID: CustomStringConvertible {
    public var description: String { value }
}

extension UInt8 {
    /// Whether the byte is allowed in a key id or team id.
    var isIdentifierCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}
