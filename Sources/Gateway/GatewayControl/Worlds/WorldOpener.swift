package import GatewayCore
package import GatewayJSON
package import GatewayRuntime

/// Opens and closes worlds together with their parts outside of the control API: their ports and the connections of
/// senders.
package protocol WorldOpener: Sendable {
    /// Creates a world, with a separate port if one is requested. Others find it once its port is open and it is stored.
    func open(_ new: ControlAPI.NewWorld) async throws(Problem) -> LiveWorld

    /// Removes a world, closes its port and its senders' connections, and ends its subscriptions.
    ///
    /// - Returns: Whether the world existed.
    func close(_ name: WorldName) async -> Bool
}
