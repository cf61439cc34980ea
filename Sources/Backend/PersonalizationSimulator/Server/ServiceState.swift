import Foundation
import Synchronization

/// The world behind a lock.
final class ServiceState: Sendable {
    private let world: Mutex<ServiceWorld>

    init(_ world: ServiceWorld) { self.world = Mutex(world) }

    func answer(_ request: ServiceRequest) -> ServiceWorld.Outcome {
        let real = Int64(Date().timeIntervalSince1970 * 1_000)
        return world.withLock { $0.answer(request, real: real) }
    }

    func read<Result>(_ body: (ServiceWorld) throws -> Result) rethrows -> Result {
        let world = world.withLock { $0 }
        return try body(world)
    }
}
