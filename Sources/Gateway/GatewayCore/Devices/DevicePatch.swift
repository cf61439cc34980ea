/// What a client changes about a device; nil changes nothing.
package struct DevicePatch: Hashable, Sendable {
    package var isOnline: Bool?
    package var isAwake: Bool?
    package var isInLowPower: Bool?
    package var isInLowData: Bool?
    package var allowsBackgroundRefresh: Bool?
    package var allowsNotifications: Bool?
    package var appState: Device.AppState?
    /// A new budget starts with a count of 0.
    package var budget: Device.BudgetChoice?
    /// When sends begin to get `ExpiredToken`. Milliseconds since 1970.
    /// Milliseconds since 1970; `.max` for never.
    package var expiresAt: Int64?

    package init(
        isOnline: Bool? = nil, isAwake: Bool? = nil, isInLowPower: Bool? = nil, isInLowData: Bool? = nil,
        allowsBackgroundRefresh: Bool? = nil, allowsNotifications: Bool? = nil, appState: Device.AppState? = nil,
        budget: Device.BudgetChoice? = nil, expiresAt: Int64? = nil
    ) {
        self.isOnline = isOnline
        self.isAwake = isAwake
        self.isInLowPower = isInLowPower
        self.isInLowData = isInLowData
        self.allowsBackgroundRefresh = allowsBackgroundRefresh
        self.allowsNotifications = allowsNotifications
        self.appState = appState
        self.budget = budget
        self.expiresAt = expiresAt
    }
}
