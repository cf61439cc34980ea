/// The value of `apns-priority`. APNs takes an absent header for 10.
public struct Priority: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int

    /// Fails for anything but 1, 5 and 10 (docs/reference/apns.md 2.2).
    public init?(rawValue: Int) {
        guard [1, 5, 10].contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: Int) { rawValue = known }

    /// What a gateway recorded, to be sent again as it was: also a number that APNs refuses.
    package init(recorded rawValue: Int) { self.rawValue = rawValue }

    /// 10: at once.
    public static let immediate = Priority(known: 10)
    /// 5: with regard to the power of the device; the only one that is right for a background push.
    public static let powerConsiderate = Priority(known: 5)
    /// 1: power first; does not wake the device.
    public static let low = Priority(known: 1)
}
