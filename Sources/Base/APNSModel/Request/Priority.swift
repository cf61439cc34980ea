/// The value of `apns-priority`. Without the header APNs assumes 10.
public struct Priority: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int

    /// Fails for anything but 1, 5 and 10 (docs/reference/apns.md 2.2).
    public init?(rawValue: Int) {
        guard [1, 5, 10].contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: Int) { rawValue = known }

    /// A recorded value, to send it again unchanged. APNs may refuse it.
    package init(recorded rawValue: Int) { self.rawValue = rawValue }

    /// 10: deliver immediately.
    public static let immediate = Priority(known: 10)
    /// 5: consider the power of the device. A background push must have this priority.
    public static let powerConsiderate = Priority(known: 5)
    /// 1: put power before everything else; do not wake the device.
    public static let low = Priority(known: 1)
}
