import APNSModel

/// What happened in a world, for a file: its devices with their deliveries, its channels and its journal. What a world is
/// configured with (apps, keys, settings, fault rules) is not part of it.
package struct SavedWorld: Sendable, Codable {
    package struct SavedDevice: Sendable, Codable {
        var environment: APNSEnvironment
        var device: Device
    }

    package struct SavedChannel: Sendable, Codable {
        var channel: BroadcastChannel.Document
        var payload: SavedPayload?
    }

    package struct SavedEntry: Sendable, Codable {
        var sequence: UInt64
        var request: JournalRecord.Document
        var payload: SavedPayload
        var life: [LifeEntry]
    }

    /// A payload: text if it is UTF-8, which nearly all payloads are.
    package struct SavedPayload: Sendable, Codable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                bytes = Array(text.utf8)
            } else {
                bytes = try container.decode([UInt8].self)
            }
        }

        package func encode(to encoder: any Encoder) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.utf8.elementsEqual(bytes) { try text.encode(to: encoder) } else { try bytes.encode(to: encoder) }
        }
    }

    var clock: WorldClock
    var generator: SeededGenerator
    var counts: RequestCounts
    var channelCounts: RequestCounts
    /// The number of the next entry of the journal.
    var nextEntry: UInt64
    var nextDevice: [String: UInt64]
    var nextChannel: UInt64
    /// The id of the next fault rule; nil in files of older gateways.
    var nextFault: UInt64?
    /// In the order of their slots.
    var devices: [SavedDevice]
    var channels: [SavedChannel]
    /// In the order of their numbers.
    var journal: [SavedEntry]

    package init(_ world: borrowing World) {
        clock = world.clock
        generator = world.generator
        counts = world.counts
        channelCounts = world.channelCounts
        nextEntry = world.journal.sequences.upperBound
        nextDevice = [:]
        nextChannel = world.channels.nextOrdinal
        nextFault = UInt64(world.faults.nextID)
        devices = []
        for environment in APNSEnvironment.allCases {
            nextDevice[environment.rawValue] = world.tables[environment].marks.nextOrdinal
            devices += world.tables[environment].slots.map {
                SavedDevice(environment: environment, device: $0.withoutListeners)
            }
        }
        channels = []
        for id in world.channels.ids {
            guard let channel = world.channels[id] else { continue }
            let payload = channel.stored.map { SavedPayload($0.broadcast.payload) }
            channels.append(SavedChannel(channel: channel.document, payload: payload))
        }
        channels.sort { $0.channel.ordinal < $1.channel.ordinal }
        journal = []
        for sequence in world.journal.sequences {
            guard let record = world.journal.record(sequence) else { continue }
            journal.append(
                SavedEntry(
                    sequence: sequence, request: record.document, payload: SavedPayload(record.payload),
                    life: record.lifeAfterVerdict))
        }
    }
}

extension SavedWorld {
    /// The highest id of a fault rule that was given, and those in the journal.
    fileprivate var faultIDs: [Int] {
        let noted = journal.compactMap { entry in entry.request.fault.flatMap { Int($0.id) } }
        return noted.filter { FaultRule.ids.contains($0) } + [nextFault.map { Int($0) - 1 } ?? 0]
    }
}

/// Why a file is not the state of a world, as a sentence.
package struct SavedWorldError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension World {
    /// A world as it was saved. What it is configured with comes from `start`; the time of a manual clock comes from
    /// `start` as well.
    package init(_ start: WorldStart, _ saved: SavedWorld, real: Int64) throws {
        try saved.check(start.settings)
        var core = try World(WorldStart(settings: start.settings, clock: start.clock), real: real).core
        core.generator = saved.generator
        core.counts = saved.counts
        core.channelCounts = saved.channelCounts
        core.journal = (saved.journal.first?.sequence ?? saved.nextEntry)..<saved.nextEntry
        core.nextChannel = saved.nextChannel
        core.sandbox.nextOrdinal = saved.nextDevice[APNSEnvironment.sandbox.rawValue] ?? 0
        core.production.nextOrdinal = saved.nextDevice[APNSEnvironment.production.rawValue] ?? 0
        core.clock = start.clock.mode == .real && saved.clock.mode == .real ? saved.clock : start.clock
        var snapshot = WorldSnapshot(core: core)
        for saved in saved.devices {
            let waiting = saved.device.waitingDeliveries
            let slot = snapshot.devices[saved.environment]?.count ?? 0
            snapshot.devices[saved.environment, default: [:]][slot] = Device(
                Device.Document(device: saved.device), waiting: waiting, history: saved.device.deliveredHistory)
        }
        snapshot.channels = saved.channels.map { BroadcastChannel($0.channel, payload: $0.payload?.bytes ?? []) }
        snapshot.entries = saved.journal.map {
            WorldSnapshot.Entry(
                sequence: $0.sequence, record: JournalRecord($0.request, payload: $0.payload.bytes, life: $0.life))
        }
        try self.init(start, snapshot, clockMode: nil, settings: start.settings, real: real)
        faults.reserve(start.faults.compactMap(\.id) + saved.faultIDs)
        for rule in start.faults { _ = try? add(rule, real: real) }
    }

    /// This world for another place, or for going on as it was at an earlier time. It looks at every device, so it is made
    /// without the lock of the world that becomes it.
    ///
    /// - Parameters:
    ///   - token: What clients have to send for it.
    ///   - keepsListeners: Whether devices stay connected: for tests, whose devices have no client.
    package func restored(token: String? = nil, keepsListeners: Bool = false) -> World {
        var world = self
        world.storeMark = nil
        world.journal.added = nil
        (world.tables[.sandbox].touched, world.tables[.production].touched, world.channels.touched) = (nil, nil, nil)
        world.start.setup.token = token
        world.verifiedTokens.removeAll()
        world.overdue = []
        for environment in APNSEnvironment.allCases where !keepsListeners {
            for slot in 0..<world.tables[environment].count where world.tables[environment][slot].listeners > 0 {
                world.tables[environment][slot].interrupt()
            }
        }
        return world
    }

    /// Puts a restored world in the place of this one, whose connections are still open: a revision of keys and settings must
    /// not come again. Takes constant time.
    package mutating func become(_ next: World) {
        let latest = max(keysRevision, revision, next.keysRevision, next.revision)
        self = next
        (keysRevision, revision) = (latest + 1, latest + 1)
    }
}

extension Device {
    /// As it will be loaded. When it next changes is computed then.
    fileprivate var withoutListeners: Device {
        var device = self
        if device.listeners > 0 { device.interrupt() }
        device.wakeUpAt = .max
        return device
    }

    /// Its listeners have ended.
    fileprivate mutating func interrupt() {
        connection = isOnline ? .interrupted : .none
        endHolds()
    }
}

// MARK: - Checks

/// A file may say anything: nothing in it may overflow, or be larger than a world's limits.
extension SavedWorld {
    private static let maximumNumber: UInt64 = 1 << 53

    func check(_ settings: WorldSettings) throws(SavedWorldError) {
        let maximum = SavedWorld.maximumNumber
        let numbers = [nextEntry, nextChannel, nextFault ?? 0] + Array(nextDevice.values)
        try expect(numbers.allSatisfy { $0 <= maximum }, "a number in \"state\" is too large")
        try expect(clock.isInRange, "the clock of \"state\" is out of range")
        try expect(counts.areInRange && channelCounts.areInRange, "a count in \"state\" is negative or too large")
        for environment in APNSEnvironment.allCases {
            let own = devices.filter { $0.environment == environment }
            try expect(own.count <= settings.maximumDevices, "\"state\" has more devices than a world may have")
            try expect(
                Set(own.map(\.device.token)).count == own.count, "a device token is twice in \"state\"")
            try expect(
                own.allSatisfy { $0.device.environment == environment && $0.device.isInRange(settings) },
                "a device in \"state\" has a value that is out of range")
        }
        try expect(
            channels.count <= settings.maximumChannels && Set(channels.map(\.channel.id)).count == channels.count,
            "\"state\" has too many channels, or one of them twice")
        try expect(
            channels.allSatisfy {
                $0.channel.isInRange && $0.payload?.bytes.count ?? 0 <= World.maximumBodyBytes
                    && ($0.channel.stored == nil) == ($0.payload == nil)
            }, "a channel in \"state\" has a value that is out of range")
        var next = journal.first?.sequence ?? nextEntry
        for entry in journal {
            try expect(entry.sequence == next, "the journal in \"state\" is not in order, or lacks an entry")
            try expect(
                entry.request.isInRange && entry.payload.bytes.count <= World.maximumBodyBytes
                    && entry.life.count <= JournalRecord.maximumLife + 2 && entry.life.allSatisfy { $0.at.isTime },
                "a journal entry in \"state\" has a value that is out of range")
            next += 1
        }
        try expect(next == nextEntry, "the journal in \"state\" does not end before \"nextEntry\"")
    }

    private func expect(_ isTrue: Bool, _ what: String) throws(SavedWorldError) {
        guard isTrue else { throw SavedWorldError(description: what + "; import the file as it was exported") }
    }
}

extension Int64 {
    fileprivate var isTime: Bool { WorldClock.range.contains(self) }
}

extension UInt64 {
    fileprivate var isOrdinal: Bool { self <= 1 << 53 }
}

extension RequestCounts {
    fileprivate var areInRange: Bool {
        let all = [accepted, unprocessed, unanswered] + Array(refused.values)
        return all.allSatisfy { (0...1 << 50).contains($0) } && refused.count <= RequestCounts.maximumReasons + 1
    }
}

extension RateCount {
    fileprivate var isInRange: Bool { periodStart.isTime && (0...1 << 50).contains(count) }
}

extension Device {
    fileprivate func isInRange(_ settings: WorldSettings) -> Bool {
        var times = [registeredAt, noticedAt, backAt, activity.endedAt].compactMap(\.self) + budgetUse.times
        if case .uninstalled(let at) = registration { times.append(at) }
        if let expiresAt, expiresAt != .max { times.append(expiresAt) }
        times += waiting.map(\.expiresAt) + waiting.compactMap { $0.hold?.until }
        return times.allSatisfy(\.isTime) && ordinal.isOrdinal && rate.isInRange
            && budgetUse.times.count <= DeliveryBudget.maximumCount
            && channels.count <= settings.maximumSubscriptions
            && waiting.count <= max(1, settings.maximumWaiting) && history.count <= 2 * max(1, settings.maximumHistory)
            && waiting.allSatisfy { $0.delivery.isInRange(token) } && history.allSatisfy { $0.isInRange(token) }
    }
}

extension Delivery {
    fileprivate func isInRange(_ token: DeviceToken) -> Bool {
        self.token == token && sequence.isOrdinal && payload.count <= World.maximumBodyBytes
            && (1...FaultEffect.copies.upperBound).contains(copies) && apnsID.utf8.count <= 64
    }
}

extension BroadcastChannel.Document {
    fileprivate var isInRange: Bool {
        createdAt.isTime && ordinal.isOrdinal && rate.isInRange
            && stored.map { $0.sequence.isOrdinal && $0.expiresAt.isTime } ?? true
    }
}

extension JournalRecord.Document {
    fileprivate var isInRange: Bool {
        let texts = [
            token, topic, pushType, priority, expiration, collapseID, keyID, teamID, apnsID, channelID, rule, why,
        ]
        return received.isTime && (0...1 << 40).contains(omittedBytes ?? 0)
            && texts.allSatisfy { $0?.utf8.count ?? 0 <= 4096 }
    }
}
