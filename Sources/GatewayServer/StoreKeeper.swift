import Dispatch
import GatewayCore
import GatewayStore
import Logging

/// The one who writes to the store, on a thread of its own, so that no event loop waits for the disk.
///
/// @unchecked: `store` is touched on `queue` only, once `init` has returned.
final class StoreKeeper: @unchecked Sendable {
    /// What the one world of a gateway is called in its store.
    static let worldName = "default"

    let start: WorldStart
    let logger: Logger
    let path: String
    private let store: GatewayStore
    private let queue = DispatchQueue(label: "apns.store")

    /// Opens the file. What it has is loaded, and what it has not is written to it.
    ///
    /// - Parameters:
    ///   - clockMode: Nil goes on with the kept one.
    ///   - seed: The one that was asked for; nil takes the kept one.
    init(
        path: String, _ start: WorldStart, clockMode: WorldClock.Mode?, seed: UInt64?, logger: Logger
    ) throws(GatewayError) {
        self.path = path
        self.start = start
        self.logger = logger
        do throws(StoreError) {
            store = try GatewayStore(path: path)
            do throws(StoreError) {
                if let snapshot = try store.load(StoreKeeper.worldName), let seed, seed != snapshot.core.seed {
                    throw StoreError(
                        .mismatch,
                        "\(path) was begun with the seed \(snapshot.core.seed), which its ids are made of; leave out "
                            + "--seed, or name another file for the store")
                }
            } catch {
                store.close()
                throw error
            }
        } catch {
            throw GatewayError(.badStore, error.description)
        }
        self.clockMode = clockMode
    }

    private let clockMode: WorldClock.Mode?

    /// The world to begin with.
    func firstWorld(real: Int64) throws(GatewayError) -> World {
        do {
            return try queue.sync {
                guard let snapshot = try store.load(StoreKeeper.worldName) else {
                    var world = try World(start, real: real)
                    world.beginKeeping(isKnown: false)
                    try store.write([StoreKeeper.worldName: world.takeChanges()])
                    return world
                }
                var world = try World(
                    start, snapshot, clockMode: clockMode, settings: try store.settings(start.settings, of: snapshot),
                    replacing: nil, real: real)
                world.beginKeeping(isKnown: true)
                try store.write([StoreKeeper.worldName: world.takeChanges()])
                return world
            }
        } catch let error as StoreError {
            close()
            throw GatewayError(.badStore, error.description)
        } catch {
            close()
            throw GatewayError(
                .badConfiguration, "a key, an app or a fault rule cannot be registered: \(error)")
        }
    }

    /// Runs on the store's thread, in the order of the calls.
    func perform(_ work: @escaping @Sendable (GatewayStore) -> Void) {
        queue.async { work(self.store) }
    }

    /// Waits for all work that was asked for and closes the file.
    func close() { queue.sync { store.close() } }

    /// Limits the growth of the file; for tests of a full disk.
    func limitGrowth(toPages pages: Int?) throws { try queue.sync { try store.limitGrowth(toPages: pages) } }
}
