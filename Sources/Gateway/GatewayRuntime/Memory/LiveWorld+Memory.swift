package import GatewayCore
import SystemFiles

/// What the limit of memory asks of a world.
extension LiveWorld {
    /// The memory that the world holds.
    package var held: HeldBytes { read { world, _ in world.held } }

    var oldestKept: Int64? { withState { $0.world.oldestKept() } }

    /// - Returns: What was given up.
    func giveUp(bytes: Int, keptUntil moment: Int64, limit: Int) -> GivenUp {
        changeWithoutMakingRoom { state, _ in
            state.world.giveUp(bytes: bytes, keptUntil: moment, limit: limit)
        }
    }

    /// Forgets all but the newest events that are kept for clients that come back.
    func forgetEvents() { withState { $0.subscribers.forgetEvents() } }

    /// - Returns: What was given up.
    func giveUpWaiting(bytes: Int, limit: Int) -> GivenUp {
        changeWithoutMakingRoom { state, real in
            let (given, events) = state.world.giveUpWaiting(bytes: bytes, limit: limit, real: real)
            state.publishLife(events, real)
            return given
        }
    }
}
