/// Where breaking a rule has an effect (docs/reference/apns.md 0.2).
public enum Layer: String, Hashable, Sendable, CaseIterable {
    /// APNs answers with an error.
    case gateway
    /// APNs accepts the notification, then delays, replaces, throttles or drops it.
    case delivery
    /// The notification arrives, and the device ignores something or all of it.
    case device
    /// Nothing breaks.
    case style
}
