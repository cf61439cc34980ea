import APNSModel

/// Why a hint cannot be built.
public enum HintPayloadError: Error, Hashable, Sendable {
    /// The position counts from 1.
    case badRecordID(String, position: Int)
    case badFieldName(String)
    /// A custom key that the hint has itself.
    case reservedKey(String)
    case tooLarge(bytes: Int, limit: Int)
}

extension HintPayloadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badRecordID(let id, let position):
            "record id \(position), \"\(id)\", is not valid: it must have 15 or 18 characters of 0-9, A-Z and a-z"
        case .badFieldName(let name):
            "\"\(name)\" cannot be a changed field: it must not be empty or contain commas or white space"
        case .reservedKey(let key): "\"\(key)\" is a key of the hint itself; give the other data another name"
        case .tooLarge(let bytes, let limit):
            "the hint has \(bytes) bytes and the limit is \(limit); name fewer changed fields or keys"
        }
    }
}
