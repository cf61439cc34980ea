import APNSModel
import EventDelivery
import Personalization

/// The settings that a seed determines for a run of the shop's world: its size, its faults and their frequency.
struct ShopSettings {
    var steps: Int
    var users: Int
    var devices: Int
    var faults = AppFaults()
    /// Whether each purpose has its own answer.
    var hasPurposes: Bool
    /// Percentage of the steps that are about consent.
    var consentPercent: Int
    var maximumEvents: Int
    var batch: Int
    var whilePending: PendingRule
    var overflow: OverflowRule
    var deviceIDAfterLogOut: DeviceIDAfterLogOut
    var tracksLifecycle: Bool
    var naming: NamingProfile
    var maximumRequests: Int
    /// Whether the app sets the answers before it opens the library's files.
    var answersFirst: Bool
    /// Whether clocks of devices jump.
    var clocksJump: Bool

    init(using random: inout SeededGenerator) {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
        steps = pick([30, 40, 60])
        users = pick([1, 2, 2, 3])
        devices = pick([1, 1, 2, 3])
        let isCalm = pick([true, false, false, false])
        faults.lostPercent = isCalm ? 0 : pick([0, 5, 15])
        faults.slowPercent = isCalm ? 0 : pick([0, 5, 15])
        faults.doubledPercent = isCalm ? 0 : pick([0, 10, 30])
        faults.refusalPercent = isCalm ? 0 : pick([0, 5, 20])
        faults.storeFaultPercent = isCalm ? 0 : pick([0, 0, 3, 10])
        faults.storeKillPercent = isCalm ? 0 : pick([0, 1, 3])
        faults.jobsBetweenCrashes = isCalm ? nil : pick([nil, 100, 400])
        hasPurposes = pick([false, false, true])
        consentPercent = pick([2, 5, 12])
        maximumEvents = pick([4, 10_000, 10_000, 10_000])
        batch = pick([1, 2, 5, 100])
        whilePending = pick([.keep, .keep, .refuse])
        overflow = pick([.dropOldest, .refuseNew])
        deviceIDAfterLogOut = pick([.same, .same, .new])
        tracksLifecycle = pick([true, false])
        naming = pick([.reference, .reference, .other, .guide])
        maximumRequests = pick([1, 16, 16])
        answersFirst = pick([false, false, true])
        clocksJump = pick([false, false, true])
    }

    /// What the app gives to the library.
    func configuration() throws -> PersonalizationConfiguration {
        var configuration = try PersonalizationConfiguration(
            endpoint: "https://shop.example.com", appSourceID: ShopService.appSourceID,
            app: AppDescription(name: "Shop", version: "1.0"))
        configuration.naming = naming
        configuration.tracksLifecycle = tracksLifecycle
        configuration.deviceIDAfterLogOut = deviceIDAfterLogOut
        if hasPurposes {
            configuration.purposes = PersonalizationPurposes(
                events: "behavior", identity: "profile", decisions: "content")
        }
        configuration.delivery.limits.maximumEvents = maximumEvents
        configuration.delivery.limits.overflow = overflow
        configuration.delivery.batch.maximumEvents = batch
        configuration.delivery.whilePending = whilePending
        return configuration
    }
}
