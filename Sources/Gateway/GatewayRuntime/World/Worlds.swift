import APNSModel
package import GatewayConfiguration
package import GatewayCore
import GatewayJSON
import Synchronization
import SystemFiles

/// The worlds of one gateway by name. A named world is made when it is first asked for. Worlds are independent of each other.
package final class Worlds: Sendable {
    /// Why a world cannot be made.
    package enum CreationError: Error, Hashable, Sendable {
        /// There are so many worlds already, which is the maximum.
        case full(Int)
        case taken(WorldName)
    }

    /// The world of senders that name none.
    package let standard: LiveWorld
    /// How many worlds there may be, the standard one included.
    package let maximum: Int
    /// Nil where worlds are in memory alone.
    package var storeQueue: StoreQueue? { standard.storeQueue }
    package let webhookTLS: WebhookTLS
    let recorder: Recorder?
    /// The webhooks that each world begins with.
    private let webhooks: [WebhookURL]
    private let start: WorldStart
    private let makeDelegate: @Sendable () -> any LiveWorldDelegate
    private let named = Mutex<[WorldName: LiveWorld]>([:])

    /// How many journal entries a named world keeps at most: there may be many worlds.
    static let maximumRetained = 2000

    /// - Parameters:
    ///   - start: What worlds begin with that are made later.
    ///   - makeDelegate: Makes the delegate of each of them.
    package init(
        _ standard: LiveWorld, _ start: WorldStart, maximum: Int, recorder: Recorder? = nil,
        webhooks: [WebhookURL] = [], _ webhookTLS: WebhookTLS = WebhookTLS(),
        delegate makeDelegate: @escaping @Sendable () -> any LiveWorldDelegate
    ) {
        self.standard = standard
        var start = start
        start.settings.seed = standard.read { world, _ in world.start.settings.seed }
        self.start = start
        self.maximum = maximum
        self.recorder = recorder
        self.webhooks = webhooks
        self.webhookTLS = webhookTLS
        self.makeDelegate = makeDelegate
    }

    /// Starts the worlds that exist already. Called once, before senders and clients can connect.
    package func startAll() {
        forEach { world in
            addWebhooks(to: world)
            world.start()
        }
    }

    /// The world of this name, which is made if there is none.
    package func world(_ name: WorldName) throws(CreationError) -> LiveWorld {
        if let known = existing(name) { return known }
        return try make(name, WorldSetup(), takesExisting: true)
    }

    package func existing(_ name: WorldName) -> LiveWorld? {
        name == .standard ? standard : named.withLock { $0[name] }
    }

    /// Makes a world that does not exist yet.
    package func make(_ name: WorldName, _ setup: WorldSetup) throws(CreationError) -> LiveWorld {
        guard name != .standard else { throw .taken(name) }
        return try make(name, setup, takesExisting: false)
    }

    /// Adds a world before `startAll()`.
    package func add(_ world: LiveWorld) { named.withLock { $0[world.name] = world } }

    /// What a world begins with.
    package func start(of name: WorldName, _ setup: WorldSetup) -> WorldStart {
        var start = start
        start.setup = setup
        start.setup.environment = setup.environment ?? standard.environment
        start.settings.seed = setup.seed ?? seed(of: name)
        start.settings.retain = min(start.settings.retain, Worlds.maximumRetained)
        start.settings.unknownDevices = setup.devices ?? start.settings.unknownDevices
        start.clock = setup.clock ?? start.clock
        start.faults.removeAll { !$0.isFor(name) }
        return start
    }

    private func make(_ name: WorldName, _ setup: WorldSetup, takesExisting: Bool) throws(CreationError) -> LiveWorld {
        // Before the world is made, because making one is costly.
        if let known = try add(nil, name, takesExisting: takesExisting) { return known }
        let made = LiveWorld(
            newWorld(name, setup), environment: setup.environment ?? standard.environment, name: name,
            storeQueue: storeQueue, recorder: recorder, delegate: makeDelegate())
        // Before others can find the world, so that the webhooks miss no event.
        addWebhooks(to: made)
        do throws(CreationError) {
            if let known = try add(made, name, takesExisting: takesExisting) {
                made.endSubscriptions()
                return known
            }
        } catch {
            made.endSubscriptions()
            throw error
        }
        made.start()
        standard.publish(.world(.made, name))
        return made
    }

    /// Adds a world, or with nil checks whether one can be added.
    ///
    /// - Returns: The world of this name, if there is one; then nothing is added.
    private func add(
        _ made: LiveWorld?, _ name: WorldName, takesExisting: Bool
    ) throws(CreationError) -> LiveWorld? {
        try named.withLock { (named) throws(CreationError) in
            if let known = named[name] {
                guard takesExisting else { throw .taken(name) }
                return known
            }
            guard named.count + 1 < maximum else { throw .full(maximum) }
            if let made { named[name] = made }
            return nil
        }
    }

    private func newWorld(_ name: WorldName, _ setup: WorldSetup) -> World {
        var start = start(of: name, setup)
        let real = WallClock.milliseconds
        // Keys, apps and devices that the standard world took are taken here as well; only a fault rule may have expired.
        var world: World
        if let whole = try? World(start, real: real) {
            world = whole
        } else {
            start.faults = []
            guard let rest = try? World(start, real: real) else {
                preconditionFailure("a world can be made of what another was made of")
            }
            world = rest
        }
        if storeQueue != nil { world.beginStoring(isStored: false) }
        return world
    }

    /// The same name has the same seed in every run of a gateway with the same seed.
    private func seed(of name: WorldName) -> UInt64 {
        name.text.utf8.reduce(SeededGenerator.mix(start.settings.seed &+ 3)) { SeededGenerator.mix($0 ^ UInt64($1)) }
    }

    private func addWebhooks(to world: LiveWorld) {
        for url in webhooks { _ = world.webhooks.add(url, events: nil, isFixed: true, webhookTLS, of: world) }
    }

    /// Removes a world from the gateway and from the store. Whoever still holds it can go on using it.
    package func remove(_ name: WorldName) -> LiveWorld? {
        let removed: LiveWorld? = named.withLock { named in
            guard let world = named.removeValue(forKey: name) else { return nil }
            // Under this lock, so that a new world of this name cannot be stored first and be deleted instead.
            world.storeQueue?.perform { world.forget(in: $0) }
            return world
        }
        if removed != nil { standard.publish(.world(.removed, name)) }
        return removed
    }

    /// All worlds by name.
    package var all: [LiveWorld] {
        let others = named.withLock { Array($0.values) }
        return ([standard] + others).sorted { $0.name.text < $1.name.text }
    }

    package var count: Int { named.withLock { $0.count } + 1 }

    /// Does something in every world, in no particular order.
    package func forEach(_ body: (LiveWorld) -> Void) {
        body(standard)
        for world in named.withLock({ Array($0.values) }) { body(world) }
    }
}
