import Dispatch
package import GatewayConfiguration
package import GatewayCore
import GatewayStore
package import Logging

/// The store of all worlds behind a serial queue, so that no event loop waits for the disk.
///
/// @unchecked: `store` and `isClosed` are only used on `queue` after `init` has returned.
package final class StoreQueue: @unchecked Sendable {
    let logger: Logger
    package let path: String
    private let store: GatewayStore
    private let queue = DispatchQueue(label: "apns.store")
    private var isClosed = false

    /// Opens the file; creates it if there is none.
    package init(path: String, logger: Logger) throws(GatewayError) {
        self.path = path
        self.logger = logger
        do throws(StoreError) {
            store = try GatewayStore(path: path)
        } catch {
            throw GatewayError(.badStore, error.description)
        }
    }

    /// The names of the worlds in the file.
    package func worldNames() throws(GatewayError) -> [WorldName] {
        try reading { store throws(StoreError) in
            try store.worldNames().map { name throws(StoreError) in
                guard let known = WorldName(name) else {
                    throw StoreError(.damaged, "\(self.path) is damaged: it has a world with an invalid name")
                }
                return known
            }
        }
    }

    /// A world in the file; nil if it has none of this name.
    package func snapshot(of name: WorldName) throws(GatewayError) -> WorldSnapshot? {
        try reading { store throws(StoreError) in try store.load(name.text) }
    }

    /// The stored world or, if `snapshot` is nil, a new one, which is written at once.
    ///
    /// - Parameter clockMode: Nil keeps the stored mode.
    package func world(
        _ name: WorldName, _ start: WorldStart, _ snapshot: WorldSnapshot?, clockMode: WorldClock.Mode?, real: Int64
    ) throws(GatewayError) -> World {
        var settings = start.settings
        if let snapshot {
            settings = try reading { store throws(StoreError) in try store.settings(start.settings, of: snapshot) }
        }
        var world: World
        do throws(RegistrationError) {
            if let snapshot {
                world = try World(start, snapshot, clockMode: clockMode, settings: settings, real: real)
            } else {
                world = try World(start, real: real)
            }
        } catch {
            throw GatewayError(registering: error)
        }
        world.beginStoring(isStored: snapshot != nil)
        let changes = world.takeChanges()
        try reading { store throws(StoreError) in try store.write([name.text: changes]) }
        return world
    }

    private func reading<Result>(
        _ body: (GatewayStore) throws(StoreError) -> Result
    ) throws(GatewayError) -> Result {
        let result = queue.sync { () -> Swift.Result<Result, StoreError> in
            do throws(StoreError) {
                return .success(try body(store))
            } catch {
                return .failure(error)
            }
        }
        do throws(StoreError) {
            return try result.get()
        } catch {
            throw GatewayError(.badStore, error.description)
        }
    }

    /// Runs `work` on the queue, in the order of the calls; does nothing once the file is closed.
    func perform(_ work: @escaping @Sendable (GatewayStore) -> Void) {
        queue.async { if !self.isClosed { work(self.store) } }
    }

    /// Returns when all work so far is done.
    package func finish() async { await withCheckedContinuation { done in queue.async { done.resume() } } }

    /// Waits for all work so far and closes the file. A second call does nothing.
    package func close() {
        queue.sync {
            if !isClosed { store.close() }
            isClosed = true
        }
    }

    /// Limits the growth of the file, for tests of a full disk. Nil removes the limit.
    func limitGrowth(toPages pages: Int?) throws { try queue.sync { try store.limitGrowth(toPages: pages) } }
}
