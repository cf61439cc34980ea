/// Why an envelope cannot be sent.
public struct EnvelopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wrong or missing key of the envelope.
    public var key: String
    public var problem: Problem

    public enum Problem: Hashable, Sendable {
        /// Neither the envelope nor the defaults have a value.
        case absent(wanted: String)
        /// The value is not valid. A device token is shortened.
        case unusable(String, wanted: String)
        /// The value has a type that a header cannot have; with the type in words, such as "a number".
        case wrongKind(String)
    }

    public var description: String {
        switch problem {
        case .absent(let wanted): "\(key) is missing: add \(wanted) to the envelope, or give one for all envelopes"
        case .unusable(let text, let wanted): "\(key) is \"\(text)\"; it must be \(wanted)"
        case .wrongKind(let kind): "\(key) is \(kind); it must be a string"
        }
    }
}
