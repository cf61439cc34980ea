/// What an app expects of one kind of payload beyond what Apple documents: custom keys, their values, and what must not
/// be present.
///
/// A contract applies only to payloads that match it. A payload that matches several contracts must fulfil all of them.
///
/// ```swift
/// let contract = ApplicationContract(
///     name: "ORDER_READY", match: .value("ORDER_READY", ofKey: "type"),
///     keys: [ContractKey("orderId", .string(.uuid))], allowsOtherKeys: false)
/// var validator = Validator(contracts: [contract])
/// ```
public struct ApplicationContract: Hashable, Sendable {
    /// The name for messages.
    public var name: String
    public var match: Match
    /// The known custom keys.
    public var keys: [ContractKey]
    /// Whether other keys than `keys` are allowed in the root of the payload. `aps` and the key of `match` always are.
    public var allowsOtherKeys: Bool
    /// Keys that must not be present.
    public var forbiddenKeys: [ForbiddenKey]
    public var visibility: Visibility
    /// A limit below that of APNs, in bytes of the payload as sent; nil for none.
    public var maximumBytes: Int?

    /// The payloads that the contract applies to.
    public enum Match: Hashable, Sendable {
        case everything
        /// Payloads that have this custom key, whatever its value.
        case key(String)
        /// Payloads in which the value of this custom key is exactly this string.
        case value(String, ofKey: String)

        /// The custom key that identifies the payloads; nil for `everything`.
        public var key: String? {
            switch self {
            case .everything: nil
            case .key(let key), .value(_, ofKey: let key): key
            }
        }
    }

    /// Whether the user notices its payloads: whether `aps` has `alert`, `badge` or `sound`.
    public enum Visibility: String, Hashable, Sendable, CaseIterable {
        case any
        /// `content-available` 1 and no alert, badge or sound.
        case silent
        case visible
    }

    /// A key that must not be present, with the reason.
    public struct ForbiddenKey: Hashable, Sendable {
        /// A custom key, or the JSON pointer (RFC 6901) of a nested key if it begins with a slash.
        public var name: String
        /// Appended to the message after a colon; nil for a message without a reason.
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
