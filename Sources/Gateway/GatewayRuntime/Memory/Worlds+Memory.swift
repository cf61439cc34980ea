package import GatewayCore
import Synchronization

/// The memory for worlds that are read from files.
extension Worlds {
    /// Puts a world that was read from a file in the place of another one.
    ///
    /// - Throws: Where there is no memory for it. Then nothing is changed.
    package func restore(_ world: World, inPlaceOf former: LiveWorld) throws(CreationError) {
        let isRestored = admission.withLock { _ in
            guard fits(world, inPlaceOf: former) else { return false }
            former.restore(world)
            return true
        }
        guard isRestored else { throw .memoryFull }
    }

    /// Whether there is memory for a world once everything is given up that can be. Called under `admission`, so that of
    /// two worlds each counts for the other.
    ///
    /// - Parameter former: The world that it replaces; nil for a further one.
    func fits(_ world: World, inPlaceOf former: LiveWorld? = nil) -> Bool {
        guard let memory else { return true }
        // Without what is on its way, as the request that has the file, and what waits for subscribers.
        var lasting = memory.heldByWorlds + world.held.lasting
        for other in everyWorld {
            let held = other.held
            lasting -= other === former ? held.total : held.total - held.lasting
        }
        return lasting <= memory.limit
    }
}
