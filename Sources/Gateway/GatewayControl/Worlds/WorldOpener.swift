package import GatewayCore
package import GatewayJSON
package import GatewayRuntime

/// Opens and closes worlds with what they have outside of the control API: their ports and the connections of senders.
package protocol WorldOpener: Sendable {
    /// Makes a world, with a port of its own where one is asked for.
    func open(_ new: ControlAPI.NewWorld) async throws(Problem) -> LiveWorld

    /// Removes a world, closes its port and its senders' connections, and ends its subscriptions.
    ///
    /// - Returns: Whether there was such a world.
    func close(_ name: WorldName) async -> Bool
}
