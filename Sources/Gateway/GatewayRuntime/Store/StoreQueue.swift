import Dispatch
package import GatewayConfiguration
package import GatewayCore
package import GatewayStore
package import Logging

/// The one who writes all worlds to the store, on a thread of its own, so that no event loop waits for the disk.
///
/// @unchecked: `store` and `isClosed` are touched on `queue` only, once `init` has returned.
package final class StoreQueue: @unchecked Sendable {
    package let logger: Logger
    package let path: String
    private let store: GatewayStore
    private let queue = DispatchQueue(label: "apns.store")
    private var isClosed = false

    /// Opens the file, or makes it.
    package init(path: String, logger: Logger) throws(GatewayError) {
        self.path = path
        self.logger = logger
        do throws(StoreError) {
            store = try GatewayStore(path: path)
        } catch {
            throw GatewayError(.badStore, error.description)
        }
    }

    /// The worlds that the file has.
    package func worldNames() throws(GatewayError) -> [WorldName] {
        try reading { store throws(StoreError) in
            try store.worldNames().map { name throws(StoreError) in
                guard let known = WorldName(name) else {
                    throw StoreError(.damaged, "\(self.path) is damaged: it has a world whose name cannot be")
                }
                return known
            }
        }
    }

    /// A world as the file has it; nil where it has none of this name.
    package func snapshot(of name: WorldName) throws(GatewayError) -> WorldSnapshot? {
        try reading { store throws(StoreError) in try store.load(name.text) }
    }

    /// The world to begin with: the kept one or, where there is none, a new one, which is written.
    ///
    /// - Parameter clockMode: Nil goes on with the kept one.
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
                world = try World(
                    start, snapshot, clockMode: clockMode, settings: settings, replacing: nil, real: real)
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

    /// Runs on the store's thread, in the order of the calls; not at all once the file is closed.
    package func perform(_ work: @escaping @Sendable (GatewayStore) -> Void) {
        queue.async { if !self.isClosed { work(self.store) } }
    }

    /// Returns when all work that was asked for is done.
    package func finish() async { await withCheckedContinuation { done in queue.async { done.resume() } } }

    /// Waits for all work that was asked for and closes the file. A second call does nothing.
    package func close() {
        queue.sync {
            if !isClosed { store.close() }
            isClosed = true
        }
    }

    /// Limits the growth of the file; for tests of a full disk.
    package func limitGrowth(toPages pages: Int?) throws { try queue.sync { try store.limitGrowth(toPages: pages) } }
}
