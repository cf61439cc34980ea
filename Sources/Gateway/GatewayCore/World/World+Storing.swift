import APNSModel

/// A world in a store: what has changed since the last write, and a world loaded again.
extension World {
    /// From now on `takeChanges` returns what has changed.
    ///
    /// - Parameter isStored: Whether the store already has this world as it is now.
    package mutating func beginStoring(isStored: Bool) {
        storeMark = StoreMark(revision: nil, isNew: !isStored)
        self[.sandbox].touched = []
        self[.production].touched = []
        channels.touched = []
        journal.added = Journal.Added(first: journal.nextSequence)
    }

    /// What has changed since the last call; for a world without a store everything.
    package mutating func takeChanges() -> WorldChanges {
        let isWhole = storeMark?.isNew ?? true
        let hasOtherRegistry = isWhole || storeMark?.revision != revision
        defer {
            if storeMark != nil {
                storeMark = StoreMark(revision: revision, isNew: false)
                journal.added = Journal.Added(first: journal.nextSequence)
            }
        }
        return WorldChanges(
            isWhole: isWhole, core: core, keys: hasOtherRegistry ? keys : nil,
            apps: hasOtherRegistry ? registeredApps : nil,
            devices: takeDevices(in: .sandbox, all: isWhole) + takeDevices(in: .production, all: isWhole),
            channels: takeChannels(all: isWhole), entries: newEntries(all: isWhole),
            lives: isWhole ? livesOfAll : journal.added?.lives ?? [])
    }

    /// As `takeChanges`, in two steps, so that the world's lock is held for a short time: a world that the store does not have
    /// yet is copied, and what the result returns is read from the copy.
    package mutating func takeChangesLater() -> @Sendable () -> WorldChanges {
        guard storeMark?.isNew == true else {
            let changes = takeChanges()
            return { changes }
        }
        let whole = self
        beginStoring(isStored: true)
        storeMark?.revision = revision
        return {
            var copy = whole
            return copy.takeChanges()
        }
    }

    var core: WorldCore {
        WorldCore(
            seed: start.settings.seed, settings: settings, startSettings: start.settings, clock: clock,
            generator: generator, counts: counts, channelCounts: channelCounts, journal: journal.sequences,
            sandbox: self[.sandbox].marks, production: self[.production].marks, nextChannel: channels.nextOrdinal,
            appsRevision: appsRevision, faults: faults, setup: start.setup)
    }

    private mutating func takeDevices(
        in environment: APNSEnvironment, all: Bool
    ) -> [WorldChanges.ChangedDevice] {
        let slots = all ? Array(0..<self[environment].count) : (self[environment].touched ?? []).sorted()
        if self[environment].touched != nil { self[environment].touched = [] }
        return slots.map {
            WorldChanges.ChangedDevice(environment: environment, slot: $0, device: self[environment].slots[$0])
        }
    }

    private mutating func takeChannels(all: Bool) -> [WorldChanges.ChangedChannel] {
        let ids = all ? channels.ids : Array(channels.touched ?? [])
        if channels.touched != nil { channels.touched = [] }
        return ids.map { WorldChanges.ChangedChannel(id: $0, channel: channels[$0]) }
    }

    private func newEntries(all: Bool) -> [WorldSnapshot.Entry] {
        let sequences = journal.sequences
        let first = all ? sequences.lowerBound : max(sequences.lowerBound, journal.added?.first ?? 0)
        return (first..<max(first, sequences.upperBound)).compactMap { sequence in
            journal.record(sequence).map { WorldSnapshot.Entry(sequence: sequence, record: $0) }
        }
    }

    private var livesOfAll: [LifeLine] {
        journal.sequences.flatMap { sequence in
            (journal.record(sequence)?.lifeAfterVerdict ?? []).enumerated().map {
                LifeLine(sequence: sequence, number: $0, life: $1)
            }
        }
    }
}

extension World {
    /// A world as a store has it.
    ///
    /// Keys, apps and devices of `start` that the store does not have are added; the others stay as they are, revoked keys
    /// included. Metrics begin at zero. A setting that was changed while the world ran stays changed, the others are those
    /// of `start`. The clock goes on unless `start` asks for the other mode. `reset()` leads to `start`, with the stored
    /// seed.
    ///
    /// - Throws: What is wrong with a key or an app of `start`.
    package init(
        _ start: WorldStart, _ snapshot: WorldSnapshot, clockMode: WorldClock.Mode?, settings: WorldSettings,
        real: Int64
    ) throws(RegistrationError) {
        var start = start
        let core = snapshot.core
        start.settings.seed = core.seed
        self.init(empty: start)
        var settings = settings
        settings.seed = core.seed
        self.settings = settings
        clock = core.clock
        if let clockMode, clockMode != clock.mode { clock.set(clockMode, to: nil, real: real) }
        generator = core.generator
        counts = core.counts
        channelCounts = core.channelCounts
        faults = core.faults
        journal = Journal(
            retain: settings.retain, maximumBytes: settings.maximumJournalBytes, uniqueIDs: uniqueIDs,
            entries: snapshot.entries.map { ($0.sequence, $0.record) }, nextSequence: core.journal.upperBound)
        restoreRegistry(snapshot)
        self[.sandbox] = DeviceTable(devices: snapshot.devices[.sandbox] ?? [:], core.sandbox)
        self[.production] = DeviceTable(devices: snapshot.devices[.production] ?? [:], core.production)
        channels = ChannelTable(snapshot.channels, nextOrdinal: core.nextChannel)
        for environment in APNSEnvironment.allCases {
            for (slot, device) in self[environment].slots.enumerated() {
                for id in device.channels { channels[id]?.subscribe(slot) }
            }
        }
        rebuildWakeUps()
        nextChannelExpiry = .min  // so that it is computed when time is next looked at
        for key in start.keys where !keys.contains(where: { $0.isSameKey(as: key) }) { try register(key) }
        for app in start.apps where apps[app.topic] == nil { try register(app) }
        for device in start.devices {
            guard let token = device.token.flatMap({ DeviceToken($0) }), self[device.environment].slot(of: token) == nil
            else { continue }
            _ = try register(device, real: real)
        }
    }

    /// Puts the world as the store has it in the place of this one, whose metrics go on. Takes constant time.
    package mutating func goBack(to stored: World) {
        let measured = (answerTimes, payloadSizes)
        become(stored)
        (answerTimes, payloadSizes) = measured
    }

    private mutating func restoreRegistry(_ snapshot: WorldSnapshot) {
        for key in snapshot.keys {
            keyIndexes[key.keyID] = keys.count
            keys.append(key)
        }
        for app in snapshot.apps { apps[app.topic] = app }
        appsRevision = snapshot.core.appsRevision
    }
}

extension WorldCore {
    package var storedSettings: (start: WorldSettings, now: WorldSettings) { (startSettings, settings) }
}
