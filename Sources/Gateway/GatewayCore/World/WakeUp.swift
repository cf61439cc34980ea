import APNSModel

/// When a device next changes because time passes.
struct WakeUp: Hashable, Comparable {
    let due: Int64
    let environment: APNSEnvironment
    let slot: Int

    /// At the same time the device decides, so that the order does not depend on the history of the heap.
    static func < (left: WakeUp, right: WakeUp) -> Bool {
        if left.due != right.due { return left.due < right.due }
        return left.slot == right.slot
            ? left.environment == .sandbox && right.environment == .production : left.slot < right.slot
    }
}
