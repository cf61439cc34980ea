/// Why a JSON text cannot be put into a payload.
public struct PayloadValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first byte that is wrong, counted from 0.
    public var offset: Int
    public var detail: String
    public var description: String { "byte \(offset): \(detail)" }
}
