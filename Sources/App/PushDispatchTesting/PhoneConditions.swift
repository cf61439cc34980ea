/// The conditions on a phone that decide whether it wakes an app for a push.
public struct PhoneConditions: Hashable, Sendable {
    public var isOnline = true
    public var isLowPower = false
    /// Low Data Mode, on the current network.
    public var isLowData = false
    /// Background App Refresh, for this app.
    public var isBackgroundRefreshOn = true

    public init() {}
}
