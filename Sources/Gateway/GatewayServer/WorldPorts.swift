import GatewayConfiguration
import GatewayControl
import GatewayCore
import GatewayJSON
import GatewayListener
import GatewayRuntime
import Logging
import NIOCore
import TLSSession

/// Opens and closes the external parts of a world: its port and the connections of its senders.
struct WorldPorts: WorldOpener {
    let worlds: Worlds
    let listener: APNSListener
    let host: String
    let tls: TLSContext
    let group: any EventLoopGroup
    let logger: Logger

    /// Creates a world, with a separate port if one is requested. Others find it when it is complete.
    func open(_ new: ControlAPI.NewWorld) async throws(Problem) -> LiveWorld {
        let state: LiveWorld
        do throws(Worlds.CreationError) {
            state = try worlds.prepare(new.name, new.setup, new.world)
        } catch {
            throw Problem(error)
        }
        do throws(Problem) {
            try await openPort(new.port, of: state)
            guard await state.stored() else { throw .notStored }
        } catch {
            await listener.leave(state)
            worlds.abandon(state)
            throw error
        }
        worlds.complete(state)
        return state
    }

    private func openPort(_ port: Int?, of state: LiveWorld) async throws(Problem) {
        guard let port else { return }
        do throws(GatewayError) {
            state.ownPort = try await listener.bind(
                host: host, port: port, option: "\"port\"", world: state, tls: tls, on: group)
        } catch {
            throw Problem(409, "The port cannot be opened", error.detail, pointer: "/port")
        }
    }

    /// Removes a world, closes its port, sends its senders GOAWAY and ends its subscriptions. Its webhooks still post what is
    /// queued.
    ///
    /// - Returns: Whether the world existed.
    func close(_ name: WorldName) async -> Bool {
        guard let state = worlds.remove(name) else { return false }
        await listener.leave(state)
        // What waited for the store is published first.
        await state.storeQueue?.finish()
        worlds.endSubscriptions(ofRemoved: state) { [logger] count in
            logger.warning(
                "Events for webhooks of a removed world were not delivered.",
                metadata: ["world": "\(name)", "events": "\(count)"])
        }
        return true
    }
}
