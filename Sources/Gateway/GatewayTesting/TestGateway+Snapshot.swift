import GatewayCore
import GatewayServer

/// The state of a `TestGateway` at one moment: keys, apps, devices with their deliveries, channels, fault rules, settings,
/// clock and journal.
public struct GatewaySnapshot: Sendable {
    let world: World
}

extension TestGateway {
    /// The state at this moment, for `restore`. It costs little, and any number of them can be kept.
    public func snapshot() -> GatewaySnapshot { GatewaySnapshot(world: running.snapshot()) }

    /// Makes everything as it was. Devices that were connected stay so; what they had received by then is in their history
    /// again.
    ///
    public func restore(_ snapshot: GatewaySnapshot) { running.restore(snapshot.world) }

    /// The state as a file, as `apns world export` prints it.
    ///
    /// - Parameter withState: Whether to include what happened; without it the file has what a configuration file may have.
    public func export(withState: Bool = true) -> [UInt8] { running.export(withState: withState) }

    /// Puts a world from a file in the place of this one.
    ///
    /// - Parameter file: Of `export` or `apns world export`, for the environment of this gateway.
    /// - Throws: A `TestGatewayError` that says what is wrong with the file.
    public func restore(file: [UInt8]) throws {
        do throws(RunningGateway.FileError) {
            try running.restore(file: file)
        } catch {
            throw TestGatewayError(error.description)
        }
    }
}
