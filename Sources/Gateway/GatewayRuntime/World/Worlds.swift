import APNSModel
package import GatewayConfiguration
package import GatewayCore
import GatewayJSON
import Synchronization
import SystemFiles

/// The worlds of one gateway by name. Each is made when it is first asked for, and none knows of the others.
package final class Worlds: Sendable {
    package enum CreationError: Error, Hashable, Sendable {
        /// There are as many as there may be.
        case full(Int)
        case taken(WorldName)
    }

    private struct Shared {
        var named: [WorldName: LiveWorld] = [:]
        /// Called with each new world before anybody else has it.
        var made: [@Sendable (LiveWorld) -> Void] = []
    }

    /// The world of those that name none.
    package let standard: LiveWorld
    /// How many there may be, the standard one included.
    package let maximum: Int
    private let start: WorldStart
    /// Nil where worlds are in memory alone.
    package var storeQueue: StoreQueue? { standard.storeQueue }
    package let recorder: Recorder?
    package let webhookTLS: WebhookTLS
    private let shared = Mutex(Shared())

    /// How many journal entries a named world keeps at most: there may be a great many worlds.
    package static let maximumRetained = 2000

    /// - Parameter start: What worlds begin with that are made later.
    package init(
        _ standard: LiveWorld, _ start: WorldStart, maximum: Int, recorder: Recorder? = nil,
        _ webhookTLS: WebhookTLS = WebhookTLS()
    ) {
        self.standard = standard
        var start = start
        start.settings.seed = standard.read { world, _ in world.start.settings.seed }
        self.start = start
        self.maximum = maximum
        self.recorder = recorder
        self.webhookTLS = webhookTLS
    }

    /// Has `tell` called with the standard world now and with every other once it is made.
    package func onMade(_ tell: @escaping @Sendable (LiveWorld) -> Void) {
        let known = shared.withLock { shared in
            shared.made.append(tell)
            return Array(shared.named.values)
        }
        for state in [standard] + known { tell(state) }
    }

    /// The world of this name, which is made if there is none.
    package func world(_ name: WorldName) throws(CreationError) -> LiveWorld {
        if let known = existing(name) { return known }
        return try make(name, WorldSetup(), takesExisting: true)
    }

    package func existing(_ name: WorldName) -> LiveWorld? {
        name == .standard ? standard : shared.withLock { $0.named[name] }
    }

    /// Makes a world that is not there yet.
    package func make(_ name: WorldName, _ setup: WorldSetup) throws(CreationError) -> LiveWorld {
        guard name != .standard else { throw .taken(name) }
        return try make(name, setup, takesExisting: false)
    }

    /// Adds a world before there are senders.
    package func add(_ state: LiveWorld) { shared.withLock { $0.named[state.name] = state } }

    /// What a world begins with.
    package func start(of name: WorldName, _ setup: WorldSetup) -> WorldStart {
        var start = start
        start.setup = setup
        start.setup.environment = setup.environment ?? standard.environment
        start.settings.seed = setup.seed ?? seed(of: name)
        start.settings.retain = min(start.settings.retain, Worlds.maximumRetained)
        start.settings.deviceRegistration = setup.devices ?? start.settings.deviceRegistration
        start.clock = setup.clock ?? start.clock
        start.faults.removeAll { !$0.isFor(name) }
        return start
    }

    private func make(_ name: WorldName, _ setup: WorldSetup, takesExisting: Bool) throws(CreationError) -> LiveWorld {
        var start = start(of: name, setup)
        let real = WallClock.milliseconds
        // What registered in the standard world registers in this one; only the time of a fault rule can be over.
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
        let state = LiveWorld(
            world, environment: setup.environment ?? standard.environment, name: name, storeQueue: storeQueue,
            recorder: recorder)
        let maximum = maximum
        let (result, made) = try shared.withLock { (shared) throws(CreationError) in
            if let known = shared.named[name] {
                guard takesExisting else { throw .taken(name) }
                return (known, [] as [@Sendable (LiveWorld) -> Void])
            }
            guard shared.named.count + 1 < maximum else { throw .full(maximum) }
            shared.named[name] = state
            return (state, shared.made)
        }
        for tell in made { tell(result) }
        if result === state {
            state.change { _, _ in }  // has it stored
            standard.tell(.world(.made, name))
        }
        return result
    }

    /// The same name has the same seed in every run of a gateway with the same seed.
    private func seed(of name: WorldName) -> UInt64 {
        name.text.utf8.reduce(SeededGenerator.mix(start.settings.seed &+ 3)) { SeededGenerator.mix($0 ^ UInt64($1)) }
    }

    /// Takes a world away from those that ask for it, and from the store; who has it still has it.
    package func remove(_ name: WorldName) -> LiveWorld? {
        let removed: LiveWorld? = shared.withLock { shared in
            guard let state = shared.named.removeValue(forKey: name) else { return nil }
            // Before another of this name can be made, so that what is forgotten is not that one.
            state.storeQueue?.perform { state.forget(in: $0) }
            return state
        }
        if removed != nil { standard.tell(.world(.removed, name)) }
        return removed
    }

    /// All worlds by name.
    package var all: [LiveWorld] {
        let named = shared.withLock { Array($0.named.values) }
        return ([standard] + named).sorted { $0.name.text < $1.name.text }
    }

    package var count: Int { shared.withLock { $0.named.count } + 1 }

    /// Does something in every world, in no order.
    package func forEach(_ body: (LiveWorld) -> Void) {
        body(standard)
        for state in shared.withLock({ Array($0.named.values) }) { body(state) }
    }
}
