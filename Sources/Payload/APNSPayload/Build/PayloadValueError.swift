/// Why a JSON text cannot be used in a payload.
public struct PayloadValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the first wrong byte.
    public var offset: Int
    public var detail: String
    public var description: String { "byte \(offset): \(detail)" }
}
