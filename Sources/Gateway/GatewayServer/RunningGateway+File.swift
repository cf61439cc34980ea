import APNSModel
import GatewayConfiguration
import GatewayControl
package import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

/// The default world as a value and as a file, for tests that run the gateway in their own process.
extension RunningGateway {
    /// Why a file is not a world for this gateway, as a sentence.
    package struct FileError: Error, CustomStringConvertible {
        package let description: String
    }

    package func snapshot() -> World { state.snapshot() }

    /// Devices that were connected when the snapshot was made stay so: in this process no listener has gone.
    package func restore(_ world: World) { state.restore(world, keepsListeners: true) }

    package func export(withState: Bool) -> [UInt8] { state.export(withState: withState).bytes }

    package func restore(file: [UInt8]) throws(FileError) {
        do throws(Problem) {
            let (world, read) = try worlds.world(from: file, for: .standard, token: nil)
            guard read.environment == environment else {
                throw Problem.badRequest(
                    "the file is of a world of \(read.environment.rawValue), and the gateway is \(environment.rawValue)"
                )
            }
            do throws(Worlds.CreationError) {
                try worlds.restore(world, inPlaceOf: state)
            } catch {
                throw Problem(error)
            }
        } catch {
            throw FileError(description: error.detail)
        }
    }
}
