/// What an app expects in one kind of its own payloads beside what Apple documents: custom keys, their values and what
/// must not be there.
///
/// A payload that a contract does not match is none of its business. One that several match has to keep them all.
///
/// ```swift
/// let contract = ApplicationContract(
///     name: "ORDER_READY", match: .value("ORDER_READY", ofKey: "type"),
///     keys: [ContractKey("orderId", .string(.uuid))], allowsOtherKeys: false)
/// var validator = Validator(contracts: [contract])
/// ```
public struct ApplicationContract: Hashable, Sendable {
    /// How messages call it.
    public var name: String
    public var match: Match
    /// The custom keys that it knows.
    public var keys: [ContractKey]
    /// Whether keys in the root of the payload that are not in `keys` are right as well. `aps` always is, and so is the
    /// key of `match`.
    public var allowsOtherKeys: Bool
    /// Keys that must not be there.
    public var forbiddenKeys: [ForbiddenKey]
    public var visibility: Visibility
    /// A limit below that of APNs, in bytes of the payload as sent; nil for none.
    public var maximumBytes: Int?

    /// Which payloads it is about.
    public enum Match: Hashable, Sendable {
        case everything
        /// Those that have this custom key, whatever its value.
        case key(String)
        /// Those in which this custom key has this string for its value, letter for letter.
        case value(String, ofKey: String)

        /// The custom key that tells the payloads apart; nil for `everything`.
        public var key: String? {
            switch self {
            case .everything: nil
            case .key(let key), .value(_, ofKey: let key): key
            }
        }
    }

    /// Whether its payloads show or sound: whether `aps` has `alert`, `badge` or `sound`.
    public enum Visibility: String, Hashable, Sendable, CaseIterable {
        case any
        /// `content-available` 1 and nothing that a person sees or hears.
        case silent
        case visible
    }

    /// A key that must not be there, with the reason.
    public struct ForbiddenKey: Hashable, Sendable {
        /// A custom key, or the JSON pointer of a nested one (RFC 6901) if it begins with a slash.
        public var name: String
        /// Completes "must not be there: "; nil for no more than that.
        public var reason: String?

        public init(_ name: String, reason: String? = nil) {
            self.name = name
            self.reason = reason
        }
    }

    public init(
        name: String, match: Match, keys: [ContractKey] = [], allowsOtherKeys: Bool = true,
        forbiddenKeys: [ForbiddenKey] = [], visibility: Visibility = .any, maximumBytes: Int? = nil
    ) {
        self.name = name
        self.match = match
        self.keys = keys
        self.allowsOtherKeys = allowsOtherKeys
        self.forbiddenKeys = forbiddenKeys
        self.visibility = visibility
        self.maximumBytes = maximumBytes
    }
}
