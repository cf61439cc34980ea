/// What a person is asked to agree to, such as `analytics`. It is stored with each event.
public struct ConsentPurpose: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }
}

/// What a person has answered. It is stored, and `pending` until it is set.
public enum ConsentState: String, Hashable, Sendable, Codable {
    /// No answer yet. Events are kept and not sent, or refused, as the destination's policy says.
    case pending
    case optedIn
    case optedOut
}
