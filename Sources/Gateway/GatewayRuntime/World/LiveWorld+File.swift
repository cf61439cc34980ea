package import GatewayConfiguration
package import GatewayCore
package import GatewayJSON
package import PayloadJSON
import Synchronization
import SystemFiles

/// A world as a file.
extension LiveWorld {
    /// The world as JSON. The lock is held only to copy it; a change afterwards copies a part of the tables (`DeviceSlots`).
    ///
    /// - Parameter withState: Whether to include what happened in the world, beside what it is configured with.
    package func export(withState: Bool) -> JSONText {
        let (world, real) = read { world, real in (copy world, real) }
        return WorldDocument.json(
            world, name: name, environment: environment, state: withState ? SavedWorld(world).json : nil, real: real)
    }

    /// A copy of the world at this moment, for `restore`.
    package func snapshot() -> World { read { world, _ in copy world } }

    /// Puts another world in the place of this one. Subscriptions of devices end, so that their clients resume. The lock is
    /// held only to exchange the two.
    ///
    /// - Parameter keepsListeners: Whether devices stay connected that were connected in it.
    package func restore(_ other: World, keepsListeners: Bool = false) {
        let next = other.restored(token: token, keepsListeners: keepsListeners)
        let (waiting, before) = exchange.withLock { _ in become(next) }
        reread(before, for: waiting)
        reportClockChange(by: 0, isReset: true)
    }

    /// - Returns: The clients and the entries for `reread`.
    private func become(_ next: World) -> ([UInt64], Range<UInt64>) {
        change { (state, real) -> ([UInt64], Range<UInt64>) in
            let former = state.world
            state.world.become(next)
            if state.outbox != nil { state.world.beginStoring(isStored: false) }
            state.forgetReportedDue()
            state.disconnectDevices()
            state.publish(.reset, real)
            // What it held is freed without the lock.
            state.afterUnlock { withExtendedLifetime(former) {} }
            return (state.waiters.startAgain(), state.world.journalSequences)
        }
    }
}

extension Worlds {
    /// A world read from a file. It is not one of these worlds yet.
    ///
    /// - Parameters:
    ///   - name: The name that it gets.
    ///   - token: What clients have to send for it; nil for nothing of its own.
    package func world(
        from file: [UInt8], for name: WorldName, token: String?
    ) throws(Problem) -> (world: World, file: WorldFile) {
        guard let fileReader else { throw .badRequest("worlds cannot be read from files here") }
        let file = try fileReader.read(file, for: name)
        var start = file.start
        start.setup.token = token
        let real = WallClock.milliseconds
        do {
            let world =
                if let state = file.state {
                    try World(start, try SavedWorld(json: state), real: real)
                } else {
                    try World(start, real: real)
                }
            return (world, file)
        } catch let error as RegistrationError {
            throw Problem(error)
        } catch let error as SavedWorldError {
            throw .badRequest(error.description, pointer: "/state")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .badRequest("the world cannot be read: \(error)")
        }
    }
}
