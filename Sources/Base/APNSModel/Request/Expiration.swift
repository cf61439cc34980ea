/// The value of `apns-expiration`, in whole seconds since 1970-01-01 UTC.
public struct Expiration: Hashable, Sendable {
    public let secondsSince1970: Int64

    /// Fails for a negative number, which APNs refuses with `BadExpirationDate`.
    public init?(secondsSince1970: Int64) {
        guard secondsSince1970 >= 0 else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    private init(known: Int64) { secondsSince1970 = known }

    /// A recorded value, to send it again unchanged. APNs may refuse it.
    package init(recorded seconds: Int64) { secondsSince1970 = seconds }

    /// The value 0: one attempt and no storage.
    public static let once = Expiration(known: 0)

    /// The longest time that APNs stores a notification, whatever the header says (docs/reference/apns.md 7.1).
    public static let maximumStorageSeconds: Int64 = 30 * 24 * 60 * 60
}

extension Expiration: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "seconds from 0 on are expected") { (seconds: Int64) in
            Expiration(secondsSince1970: seconds)
        }
    }

    public func encode(to encoder: any Encoder) throws { try secondsSince1970.encode(to: encoder) }
}
