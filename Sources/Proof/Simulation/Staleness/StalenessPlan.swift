import PushDispatch
import SelectiveSync

/// How the devices of a measured run learn of changes, and how many changes there are.
package struct StalenessPlan: Hashable, Sendable {
    /// The time between the regular syncs of a device, in minutes.
    package var syncMinutes: Int
    /// Whether the triggers of the org push.
    package var pushes: Bool
    /// By each user.
    package var changesPerHour: Int
    /// Percentage of the pushes that the network to the device loses.
    package var lostPercent = 0
    /// Whether the gateway holds silent pushes back above three an hour, as documented.
    package var hasBudget = true

    package init(syncMinutes: Int, pushes: Bool, changesPerHour: Int) {
        self.syncMinutes = syncMinutes
        self.pushes = pushes
        self.changesPerHour = changesPerHour
    }

    /// All of the first user.
    package static let devices = 2
    static let users = 2
    static let records = 100
    /// Changes are made during this time; regular syncs go on until every device has every change.
    static let hours = 24

    /// The settings of a seed where only the plan makes a difference. Faults are switched off by the run.
    func settings(_ seeded: SimulationSettings) -> SimulationSettings {
        var settings = seeded
        settings.users = StalenessPlan.users
        settings.devices = StalenessPlan.devices
        settings.records = StalenessPlan.records
        settings.pageSize = 2_000
        settings.lostPercent = lostPercent
        settings.documentedBudgets = hasBudget
        settings.twinPercent = 0
        settings.hasFilters = false
        settings.changesFields = false
        settings.refusesDeletions = false
        settings.accessTokenLifetime = 7_200_000
        settings.rotatesRefreshTokens = false
        settings.collapses = false
        settings.maximumPending = 10_000
        settings.hasScope = false
        settings.missing = .remove
        settings.sync = .init()
        settings.dispatch = .init()
        settings.dispatch.userKey = "userId"
        settings.dispatch.identityKey = settings.sendsPushIDs ? "pushId" : nil
        settings.regular = .init()
        return settings
    }
}
