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
        /// It is being made by another client at this moment.
        case opening(WorldName)
        /// There is no memory for another one.
        case memoryFull
    }

    /// The world of senders that name none.
    package let standard: LiveWorld
    /// How many worlds there may be, the standard one included.
    package let maximum: Int
    /// Nil where worlds are in memory alone.
    package var storeQueue: StoreQueue? { standard.storeQueue }
    package let webhookTLS: WebhookTLS
    let recorder: Recorder?
    /// Nil where memory is not limited.
    package let memory: MemoryBudget?
    /// The webhooks that each world begins with.
    private let webhooks: [WebhookURL]
    private let start: WorldStart
    /// Reads worlds from files; nil where they cannot be.
    let fileReader: WorldFile.Reader?
    private let makeDelegate: @Sendable () -> any LiveWorldDelegate
    private let named = Mutex(Named())
    private let observers = Mutex(Observers())
    /// The webhooks of removed worlds that still post what is queued.
    let departures = Departures()
    /// Held from the question whether there is memory for a world of a file until the world counts.
    let admission = Mutex(())

    private struct Named {
        /// The worlds that others can find.
        var worlds: [WorldName: LiveWorld] = [:]
        /// Those made by a first use that are not stored yet. Whoever uses them as well finds them; no list has them.
        var unstored: [WorldName: LiveWorld] = [:]
        /// The names of worlds that are being opened.
        var opening: Set<WorldName> = []
        /// Those of the configuration, which stay when nobody uses them.
        var fixed: Set<WorldName> = []
        /// How many were removed because nobody used them, by reason.
        var evicted: [WorldEviction.Reason: Int] = [:]

        func inUse(_ name: WorldName) -> LiveWorld? { worlds[name] ?? unstored[name] }
    }

    private struct Observers {
        /// A world that was made by this gateway and may have been removed.
        struct Made {
            weak var world: LiveWorld?
        }

        var made: [Made] = []
        var all: [UInt64: @Sendable (LiveWorld) -> Void] = [:]
        var lastID: UInt64 = 0
    }

    /// How many journal entries a named world keeps at most: there may be many worlds.
    static let maximumRetained = 2000

    /// - Parameters:
    ///   - start: What worlds begin with that are made later.
    ///   - seed: What their seeds are made of; nil for the seed of the standard world. That is another one where a file was
    ///     imported into it.
    ///   - makeDelegate: Makes the delegate of each of them.
    package init(
        _ standard: LiveWorld, _ start: WorldStart, seed: UInt64? = nil, maximum: Int, recorder: Recorder? = nil,
        memory: MemoryBudget? = nil,
        webhooks: [WebhookURL] = [], _ webhookTLS: WebhookTLS = WebhookTLS(),
        fileReader: WorldFile.Reader? = nil, delegate makeDelegate: @escaping @Sendable () -> any LiveWorldDelegate
    ) {
        self.standard = standard
        var start = start
        start.settings.seed = seed ?? standard.read { world, _ in world.start.settings.seed }
        self.start = start
        self.maximum = maximum
        self.recorder = recorder
        self.webhooks = webhooks
        self.webhookTLS = webhookTLS
        self.makeDelegate = makeDelegate
        self.fileReader = fileReader
        self.memory = memory
        memory?.setWorlds { [weak self] in self?.everyWorld ?? [] }
    }

    /// Starts the worlds that exist already. Called once, before senders and clients can connect.
    package func startAll() {
        forEach { world in
            addWebhooks(to: world)
            world.start()
        }
        // Those of a store may hold more than the limit.
        memory?.makeRoomIfNeeded()
    }

    /// The world of this name, which is made if there is none. With a store others find it when it is stored; if it cannot be,
    /// it does not exist.
    package func world(_ name: WorldName) throws(CreationError) -> LiveWorld {
        if let found = try find(name) { return found }
        // Outside of the lock, because making one is costly.
        let made = newLiveWorld(name, WorldSetup())
        let known: LiveWorld?
        do throws(CreationError) {
            known = try named.withLock { (named) throws(CreationError) in
                if let known = named.inUse(name) { return known }
                try check(name, named)
                // Others find it from here on, so it is started first.
                if made.hasStore {
                    made.start { [weak self, weak made] isStored in
                        if let made { self?.firstUse(of: made, isStored: isStored) }
                    }
                    named.unstored[name] = made
                } else {
                    made.start()
                    named.worlds[name] = made
                }
                return nil
            }
        } catch {
            made.endSubscriptions()
            throw error
        }
        if let known {
            made.endSubscriptions()
            return known
        }
        if !made.hasStore { standard.publish(.world(.made, name)) }
        return made
    }

    /// The first write of a world that was made by its first use has ended. Called on the queue of the store, before
    /// anything that was decided in the world is answered.
    private func firstUse(of world: LiveWorld, isStored: Bool) {
        let isKept = named.withLock { named in
            guard named.unstored[world.name] === world else { return false }
            named.unstored[world.name] = nil
            if isStored { named.worlds[world.name] = world }
            return isStored
        }
        guard isKept else {
            world.giveUp()
            return standard.checkStore(afterFailureOf: world.name)
        }
        standard.publish(.world(.made, world.name))
    }

    /// Nil where a world of this name can be made.
    private func find(_ name: WorldName) throws(CreationError) -> LiveWorld? {
        if name == .standard { return standard }
        return try named.withLock { (named) throws(CreationError) -> LiveWorld? in
            if let known = named.inUse(name) { return known }
            try check(name, named)
            return nil
        }
    }

    /// Whether a world of this name can be made.
    private func check(_ name: WorldName, _ named: Named) throws(CreationError) {
        guard !named.opening.contains(name) else { throw .opening(name) }
        guard named.worlds.count + named.unstored.count + named.opening.count + 1 < maximum else {
            throw .full(maximum)
        }
        guard memory?.isFull != true else { throw .memoryFull }
    }

    package func existing(_ name: WorldName) -> LiveWorld? {
        name == .standard ? standard : named.withLock { $0.worlds[name] }
    }

    /// Makes a world that does not exist yet. Nobody finds it before `complete`; `abandon` gives it up.
    ///
    /// - Parameter world: The world as it was read from a file; nil makes it of the setup.
    package func prepare(
        _ name: WorldName, _ setup: WorldSetup, _ world: World? = nil
    ) throws(CreationError) -> LiveWorld {
        guard name != .standard else { throw .taken(name) }
        try named.withLock { (named) throws(CreationError) in
            guard named.inUse(name) == nil, !named.opening.contains(name) else { throw .taken(name) }
            try check(name, named)
            named.opening.insert(name)
        }
        let admitted: LiveWorld?
        if let world {
            admitted = admission.withLock { _ -> LiveWorld? in fits(world) ? newLiveWorld(name, setup, world) : nil }
        } else {
            admitted = newLiveWorld(name, setup)
        }
        guard let made = admitted else {
            named.withLock { _ = $0.opening.remove(name) }
            throw .memoryFull
        }
        made.start()
        return made
    }

    /// A prepared world has all that it needs: others find it from now on.
    package func complete(_ world: LiveWorld) {
        named.withLock { named in
            named.opening.remove(world.name)
            named.worlds[world.name] = world
        }
        standard.publish(.world(.made, world.name))
    }

    /// A prepared world lacks something: its name is free again, and the store forgets it.
    package func abandon(_ world: LiveWorld) {
        named.withLock { named in
            named.opening.remove(world.name)
            world.storeQueue?.perform { world.forget(in: $0) }
        }
        world.endSubscriptions()
    }

    /// Adds a world before `startAll()`.
    ///
    /// - Parameter isFixed: Whether it stays when nobody uses it.
    package func add(_ world: LiveWorld, isFixed: Bool) {
        named.withLock { named in
            named.worlds[world.name] = world
            if isFixed { named.fixed.insert(world.name) }
        }
    }

    /// What a world begins with that is not read from a file.
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

    private func newLiveWorld(_ name: WorldName, _ setup: WorldSetup, _ world: World? = nil) -> LiveWorld {
        var world = world ?? newWorld(name, setup)
        if storeQueue != nil { world.beginStoring(isStored: false) }
        let made = LiveWorld(
            world, environment: setup.environment ?? standard.environment, name: name,
            storeQueue: storeQueue, recorder: recorder, memory: memory, delegate: makeDelegate())
        // Before others can find the world, so that webhooks and observers miss no event.
        addWebhooks(to: made)
        observers.withLock { observers in
            observers.made.removeAll { $0.world == nil }
            observers.made.append(Observers.Made(world: made))
            for observer in observers.all.values { observer(made) }
        }
        return made
    }

    private func newWorld(_ name: WorldName, _ setup: WorldSetup) -> World {
        // Keys, apps and devices that the standard world took are taken here as well. As many fault rules are taken as may be.
        World(resetting: start(of: name, setup), real: WallClock.milliseconds)
    }

    /// The same name has the same seed in every run of a gateway with the same seed.
    private func seed(of name: WorldName) -> UInt64 {
        name.text.utf8.reduce(SeededGenerator.mix(start.settings.seed &+ 3)) { SeededGenerator.mix($0 ^ UInt64($1)) }
    }

    private func addWebhooks(to world: LiveWorld) {
        for url in webhooks { _ = world.webhooks.add(url, events: nil, isFixed: true, webhookTLS, of: world) }
    }

    /// Has a closure called with each world that there is, and with each that is made later, before others can find it. It
    /// must not make a world.
    ///
    /// - Returns: What `endObservation` takes.
    package func observe(_ observer: @escaping @Sendable (LiveWorld) -> Void) -> UInt64 {
        observers.withLock { observers in
            observers.lastID += 1
            observers.all[observers.lastID] = observer
            // Those that others cannot find yet, too: they were made before they are named.
            var shown: Set<ObjectIdentifier> = []
            for world in everyWorld + observers.made.compactMap(\.world)
            where shown.insert(ObjectIdentifier(world)).inserted {
                observer(world)
            }
            return observers.lastID
        }
    }

    package func endObservation(_ id: UInt64) { observers.withLock { $0.all[id] = nil } }

    /// Removes a world from the gateway and from the store. Whoever still holds it can go on using it, until
    /// `endSubscriptions(ofRemoved:)`.
    package func remove(_ name: WorldName) -> LiveWorld? {
        let removed: LiveWorld? = named.withLock { named in
            guard let world = named.worlds.removeValue(forKey: name) else { return nil }
            named.fixed.remove(name)
            // Under this lock, so that a new world of this name cannot be stored first and be deleted instead.
            world.storeQueue?.perform { world.forget(in: $0) }
            return world
        }
        if removed != nil { standard.publish(.world(.removed, name)) }
        return removed
    }

    /// All worlds by name.
    package var all: [LiveWorld] {
        let others = named.withLock { Array($0.worlds.values) }
        return ([standard] + others).sorted { $0.name.text < $1.name.text }
    }

    /// All worlds, and those that are not stored yet, in no particular order.
    var everyWorld: [LiveWorld] {
        [standard] + named.withLock { Array($0.worlds.values) + Array($0.unstored.values) }
    }

    /// How long nobody has used each world that can be removed for that. A world in use is not among them.
    ///
    /// - Parameter real: The machine's time, in milliseconds since 1970.
    package func idleTimes(at real: Int64 = WallClock.milliseconds) -> [WorldEviction.Candidate] {
        let worlds = named.withLock { named in
            named.worlds.values.filter { !named.fixed.contains($0.name) }
        }
        return worlds.filter { !$0.isInUse }.map { WorldEviction.Candidate(name: $0.name, idle: $0.idleTime(at: real)) }
    }

    /// A world is removed because nobody used it.
    package func countEviction(_ reason: WorldEviction.Reason) {
        named.withLock { $0.evicted[reason, default: 0] += 1 }
    }

    package var evictions: [WorldEviction.Reason: Int] { named.withLock { $0.evicted } }

    package var count: Int { named.withLock { $0.worlds.count } + 1 }

    /// Does something in every world, in no particular order, also in those that are not stored yet.
    package func forEach(_ body: (LiveWorld) -> Void) {
        for world in everyWorld { body(world) }
    }
}
