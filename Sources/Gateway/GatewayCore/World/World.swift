import APNSModel
import APNSPayload

/// One separate simulation: its keys, apps, devices, clock and journal, and every decision about them.
///
/// A value without I/O. Its owner protects it with a lock, passes the machine's time (`real`, in milliseconds since 1970)
/// and does what the results say. The same start and the same calls give the same results, ids included.
package struct World: Sendable {
    /// What the world began with; `reset()` restores it.
    package internal(set) var start: WorldStart
    /// The settings of `start` until they are changed. Limits and `seed` take effect only at the start.
    package var settings: WorldSettings {
        didSet {
            revision += 1
            deliveryRules = DeliveryRules(settings)
            if settings.contested != oldValue.contested { checks = Checks.ordered(by: settings.contested) }
        }
    }
    package internal(set) var clock: WorldClock

    var checks: [Check]
    /// What `settings` says about deliveries.
    private(set) var deliveryRules: DeliveryRules
    var generator: SeededGenerator
    let uniqueIDs: UniqueIDs
    var journal: Journal
    /// Of notifications, broadcasts among them.
    package internal(set) var counts = RequestCounts()
    /// Of requests that manage channels.
    package internal(set) var channelCounts = RequestCounts()
    /// From the head of a request to its answer.
    package internal(set) var answerTimes = HistogramsByReason.times
    package internal(set) var payloadSizes = HistogramsByReason.sizes
    var validator = Validator()

    var keys: [ProviderKey] = []
    var keyIndexes: [String: Int] = [:]
    /// Rises whenever a key is added, changed or revoked.
    var keysRevision = 0
    /// Rises whenever keys, apps or settings change.
    var revision = 0
    var verifiedTokens: VerifiedTokens
    var faults: FaultTable
    /// The provider tokens in use by key id, where updates are counted per key.
    var tokenUses: [String: TokenUse] = [:]

    var apps: [String: RegisteredApp] = [:]
    var appsRevision = 0

    var channels = ChannelTable()
    /// The checks use this and not the world's subscript, which would copy the whole world.
    var tables = DeviceTables()
    /// When devices next change because time passes.
    var wakeUps = Heap<WakeUp>()
    /// No channel drops its stored message before this time. Milliseconds since 1970.
    var nextChannelExpiry = Int64.max
    /// Events that happened because time passed, to be reported with the next judgement.
    var overdue: [DeliveryEvent] = []
    /// The array of the last events that were not reported, reused for the next request so that each request does not
    /// allocate one. Empty between two requests.
    var spareEvents: [DeliveryEvent] = []
    /// Whether the gateway has no memory for more devices, channels, apps, keys and fault rules.
    package var isMemoryFull = false
    /// The answers of a recording that are still to come.
    var recordedAnswers: RecordedAnswers
    /// What the store already has; nil without a store.
    var storeMark: StoreMark?

    /// Fault rules whose time is over by the clock of `start` are left out: files are kept for longer than such rules.
    ///
    /// - Throws: What is wrong with a key, an app or a device of `start`.
    package init(_ start: WorldStart, real: Int64) throws(RegistrationError) {
        self.init(empty: start)
        for key in start.keys { try register(key) }
        for app in start.apps { try register(app) }
        for device in start.devices { _ = try register(device, real: real) }
        for rule in start.faults where !rule.isOver(at: now(real: real)) { _ = try add(rule, real: real) }
    }

    init(empty start: WorldStart) {
        self.start = start
        settings = start.settings
        deliveryRules = DeliveryRules(start.settings)
        clock = start.clock
        recordedAnswers = start.answers
        checks = Checks.ordered(by: start.settings.contested)
        generator = SeededGenerator(seed: start.settings.seed)
        uniqueIDs = UniqueIDs(key: SeededGenerator.mix(start.settings.seed &+ 1))
        faults = FaultTable(seed: SeededGenerator.mix(start.settings.seed &+ 2))
        journal = Journal(
            retain: start.settings.retain, maximumBytes: start.settings.maximumJournalBytes, uniqueIDs: uniqueIDs)
        verifiedTokens = VerifiedTokens(maximum: start.settings.maximumVerifiedTokens)
        faults.reserve(start.faults.compactMap(\.id))
    }

    /// The state at the start, for `reset`. It registers every device, so it is made without the lock of the world that is reset.
    package init(resetting start: WorldStart, real: Int64) {
        self.init(empty: start)
        // What could be registered at the start can be registered again, because the state is the same.
        for key in start.keys { try? register(key) }
        for app in start.apps { try? register(app) }
        for device in start.devices { _ = try? register(device, real: real) }
        // Rules whose time is over cannot be added.
        for rule in start.faults { _ = try? add(rule, real: real) }
    }

    /// Restores the state at the start. Connections keep their team and key; devices have no listeners any more, and the
    /// caller has to disconnect them.
    package mutating func reset(real: Int64) { reset(to: World(resetting: start, real: real)) }

    /// The same, in constant time.
    package mutating func reset(to fresh: World) {
        let (hasStore, now) = (storeMark != nil, moment)
        become(fresh)
        if hasStore { beginStoring(isStored: false) }
        moment = now
    }

    package func now(real: Int64) -> Int64 { clock.now(real: real) }

    @inline(__always)
    subscript(environment: APNSEnvironment) -> DeviceTable {
        _read { yield tables[environment] }
        _modify { yield &tables[environment] }
    }
}

extension World {
    /// Adds a key, or replaces the one with the same id. Verified provider tokens are then forgotten.
    package mutating func register(_ key: ProviderKey) throws(RegistrationError) {
        guard !key.keyID.isEmpty, !key.teamID.isEmpty else { throw .incomplete("a key needs a key id and a team id") }
        guard !key.environments.isEmpty else { throw .incomplete("a key needs at least one environment") }
        if case .team = key.kind, settings.contested.limitsTeamKeysToOneEnvironment, key.environments.count > 1 {
            throw .incomplete(
                "a team-scoped key is for one environment, as team-key-environments is set; name sandbox or production")
        }
        if case .topics(let topics) = key.kind {
            guard (1...ProviderKey.maximumTopics).contains(topics.count) else {
                throw .incomplete(
                    "a topic-specific key names 1 to \(ProviderKey.maximumTopics) topics, not \(topics.count)")
            }
            guard key.environments.count == 1 else {
                throw .incomplete("a topic-specific key is for one environment; name sandbox or production")
            }
        }
        if let index = keyIndexes[key.keyID] {
            keys[index] = key
        } else {
            guard keys.count < settings.maximumKeys else { throw .full("keys", settings.maximumKeys) }
            try checkMemory()
            keyIndexes[key.keyID] = keys.count
            keys.append(key)
        }
        forgetTokens()
    }

    /// Revokes a key. It stays listed as revoked, and its provider tokens are forgotten.
    ///
    /// - Returns: Whether there was such a key that was not revoked yet.
    package mutating func revokeKey(_ keyID: String) -> Bool {
        guard let index = keyIndexes[keyID], !keys[index].isRevoked else { return false }
        keys[index].isRevoked = true
        forgetTokens()
        return true
    }

    private mutating func forgetTokens() {
        verifiedTokens.removeAll()
        keysRevision += 1
        revision += 1
    }

    /// Every key in the order of registration, revoked ones included.
    package var registeredKeys: [ProviderKey] { keys }

    func keyIndex(_ keyID: String) -> Int? { keyIndexes[keyID] }

    func key(_ keyID: String) -> ProviderKey? { keyIndexes[keyID].map { keys[$0] } }

    func key(of token: VerifiedToken) -> ProviderKey? { token.keyIndex.map { keys[$0] } }

    /// Adds an app, or gives a known one another team or other capabilities. Without the capability for broadcasts its
    /// channels are deleted.
    package mutating func register(_ app: RegisteredApp) throws(RegistrationError) {
        guard let topic = Topic(app.topic) else { throw .badTopic(app.topic) }
        guard topic.suffix.isEmpty else {
            throw .incomplete("the topic of an app is its bundle id \(topic.bundleID), without \(topic.suffix)")
        }
        guard !app.teamID.isEmpty else { throw .incomplete("an app needs a team id") }
        guard app.capabilities.isSubset(of: RegisteredApp.everyCapability) else {
            let unknown = app.capabilities.subtracting(RegisteredApp.everyCapability).sorted().map {
                PeerText.quoted($0)
            }
            throw .incomplete(
                "there is no capability \(unknown.joined(separator: ", ")); known are "
                    + RegisteredApp.everyCapability.sorted().joined(separator: ", "))
        }
        var app = app
        if let known = apps[app.topic] {
            app.revision = known.revision
        } else {
            guard apps.count < settings.maximumApps else { throw .full("apps", settings.maximumApps) }
            try checkMemory()
            appsRevision += 1
            app.revision = appsRevision
        }
        apps[app.topic] = app
        revision += 1
        if !app.capabilities.contains(RegisteredApp.broadcastCapability) { removeChannels(of: app.topic) }
    }

    /// Every app in the order of registration.
    package var registeredApps: [RegisteredApp] { apps.values.sorted { $0.revision < $1.revision } }
}
