/// The budgets of a world. Nil means no limit.
///
/// Apple gives numbers for the first three: two or three silent pushes an hour (docs/reference/apns.md 6.7), 50 complication
/// pushes a day and about 360 location queries a day (6.8). For the others it says that there is a budget, but not how large.
package struct DeliveryBudgets: Hashable, Sendable, Codable {
    /// Silent pushes to an app that is not in the foreground. Those beyond it are held.
    package var silent: DeliveryBudget?
    /// Those beyond it are dropped.
    package var complication: DeliveryBudget?
    /// Those beyond it are dropped.
    package var location: DeliveryBudget?
    /// Updates of a Live Activity with priority 10 (docs/reference/apns.md 6.6). Those beyond it are held.
    package var liveActivity: DeliveryBudget?
    /// Those beyond it are held.
    package var widgets: DeliveryBudget?
    /// Those beyond it are held.
    package var controls: DeliveryBudget?

    package init() {}

    /// No limits, as for an app that runs from Xcode.
    package static let lifted = DeliveryBudgets()

    /// The documented numbers; no limit where none is documented.
    package static let documented: DeliveryBudgets = {
        var budgets = DeliveryBudgets()
        budgets.silent = DeliveryBudget(count: 3, period: 3_600_000)
        budgets.complication = DeliveryBudget(count: 50, period: 86_400_000)
        budgets.location = DeliveryBudget(count: 360, period: 86_400_000)
        return budgets
    }()

    func budget(of kind: DeviceKind) -> DeliveryBudget? {
        switch kind {
        case .app: silent
        case .complication: complication
        case .location: location
        case .liveactivity: liveActivity
        case .widgets: widgets
        case .controls: controls
        case .voip, .fileprovider, .pushtotalk, .startLiveActivity: nil
        }
    }
}
