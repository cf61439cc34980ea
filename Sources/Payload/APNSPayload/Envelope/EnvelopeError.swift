/// Why an envelope cannot be sent.
public struct EnvelopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key at fault, as it is spelt in an envelope.
    public var key: String
    public var problem: Problem

    public enum Problem: Hashable, Sendable {
        /// Neither the envelope nor the defaults have it.
        case absent(wanted: String)
        /// It is there with this text; a device token is shortened.
        case unusable(String, wanted: String)
    }

    public var description: String {
        switch problem {
        case .absent(let wanted): "\(key) is missing: put \(wanted) into the envelope, or name one for all of them"
        case .unusable(let text, let wanted): "\(key) is \"\(text)\"; it must be \(wanted)"
        }
    }
}
