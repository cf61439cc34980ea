import APNSModel

/// The settings of a world that decide about deliveries, small enough to be passed with each.
struct DeliveryRules: Hashable, Sendable {
    /// How many deliveries are kept for a device's connection to resume after.
    var history: Int
    /// How many notifications wait for an interrupted connection.
    var waiting: Int
    var budgets: DeliveryBudgets
    /// In low-power mode pushes of priority 5 are delivered together at each multiple of this. Milliseconds.
    var powerGroup: Int64
    /// Whether the end of the app drops held silent pushes, also if its user did not force-quit it.
    var dropsHeldAtTermination: Bool
    /// Decides the order in which a device gets what was stored for it.
    var seed: UInt64

    init(_ settings: WorldSettings) {
        history = settings.maximumHistory
        waiting = settings.maximumWaiting
        budgets = settings.budgets
        powerGroup = max(1, settings.powerGroup)
        dropsHeldAtTermination = settings.contested.dropsHeldAtTermination
        seed = settings.seed
    }

    /// The same elements in an order that the world's seed decides, because APNs promises no order (docs/reference/apns.md
    /// 7.1).
    func shuffled(_ stored: [StoredDelivery], of ordinal: UInt64, at now: Int64) -> [StoredDelivery] {
        guard stored.count > 1 else { return stored }
        var generator = SeededGenerator(
            seed: SeededGenerator.mix(seed ^ SeededGenerator.mix(ordinal)) &+ UInt64(bitPattern: now))
        return stored.shuffled(using: &generator)
    }
}
