public import APNSModel

/// The 10 characters that identify a signing key. They are in the name of its file, `AuthKey_KEYID.p8`, and not inside it.
public struct KeyID: Hashable, Sendable {
    public let value: String

    /// Fails unless `text` is 10 characters out of `0`-`9` and `A`-`Z`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, text.utf8.allSatisfy(\.isIdentifierCharacter) else { return nil }
        value = String(text)
    }

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let id = KeyID(text) else {
            if let inside = KeyID.inName(of: String(text)) {
                throw APNSValueError(
                    .keyID, "\(ShownText.quoted(text)) is the name of a key's file; the key id in it is \(inside)")
            }
            throw APNSValueError(
                .keyID,
                "the key id \(IdentifierProblem.in(text)); it is in the name of the key's file, AuthKey_KEYID.p8")
        }
        self = id
    }

    /// The key id in the name that Apple gives the file of a key, `AuthKey_KEYID.p8`; nil for another name.
    ///
    /// - Parameter path: The name alone, or a path that ends with it.
    public static func inName(of path: String) -> KeyID? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        return KeyID(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
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
