/// What a client changes about a device; nil leaves as it is.
package struct DevicePatch: Hashable, Sendable {
    package var isOnline: Bool?
    package var isAwake: Bool?
    package var isInLowPower: Bool?
    package var isInLowData: Bool?
    package var allowsBackgroundRefresh: Bool?
    package var allowsNotifications: Bool?
    package var appState: Device.AppState?
    /// Counting starts anew with it.
    package var budget: Device.BudgetChoice?
    /// Milliseconds since 1970; from then on sends get `ExpiredToken`.
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
