import APNSModel

/// When a device next changes by the passing of time.
struct WakeUp: Hashable, Comparable {
    let due: Int64
    let environment: APNSEnvironment
    let slot: Int

    /// Two of one time go by the device, so that the order never depends on what was there before.
    static func < (left: WakeUp, right: WakeUp) -> Bool {
        if left.due != right.due { return left.due < right.due }
        return left.slot == right.slot
            ? left.environment == .sandbox && right.environment == .production : left.slot < right.slot
    }
}
