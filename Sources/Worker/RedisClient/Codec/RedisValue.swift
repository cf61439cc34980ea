/// A reply of a server.
package enum RedisValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// A short word of the server, such as `OK`.
    case status(String)
    case text([UInt8])
    case array([RedisValue])
    /// The server refused the command; other elements of the same reply may be good.
    /// Indirect, so that the values of all other replies are small.
    indirect case failure(RedisError)

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var bytes: [UInt8]? {
        switch self {
        case .text(let bytes): bytes
        case .status(let word): Array(word.utf8)
        default: nil
        }
    }

    /// The text, where it is UTF-8.
    package var string: String? {
        switch self {
        case .text(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let word): word
        default: nil
        }
    }

    package var array: [RedisValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// Throws where the whole reply is a refusal.
    package func get() throws(RedisError) -> RedisValue {
        if case .failure(let error) = self { throw error }
        return self
    }
}
