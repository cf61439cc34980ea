import APNSModel

/// The memory of a world by what it is used for, in bytes. It is counted as things come and go, not measured.
package struct HeldBytes: Hashable, Sendable {
    package var journal = 0
    /// What devices have received, and what waits for them.
    package var deliveries = 0
    package var devices = 0
    package var channels = 0
    /// The world itself, with its apps, keys, fault rules and verified provider tokens.
    package var world = 0

    package init() {}

    package var total: Int { journal + deliveries + devices + channels + world }

    /// What is not given up when memory is short.
    package var lasting: Int { devices + channels + world }

    package var named: [(name: String, bytes: Int)] {
        [
            ("journal", journal), ("deliveries", deliveries), ("devices", devices), ("channels", channels),
            ("worlds", world),
        ]
    }

    package static func + (left: HeldBytes, right: HeldBytes) -> HeldBytes {
        var sum = left
        sum.journal += right.journal
        sum.deliveries += right.deliveries
        sum.devices += right.devices
        sum.channels += right.channels
        sum.world += right.world
        return sum
    }
}

/// What was given up because the gateway reached its limit of memory.
package struct GivenUp: Hashable, Sendable {
    package var bytes = 0
    package var journalEntries = 0
    package var deliveries = 0
    /// Notifications that waited for their device.
    package var waiting = 0

    package init() {}

    package static func += (left: inout GivenUp, right: GivenUp) {
        left.bytes += right.bytes
        left.journalEntries += right.journalEntries
        left.deliveries += right.deliveries
        left.waiting += right.waiting
    }
}

/// Memory: what a world uses, and what it gives up.
extension World {
    /// The machine's time of what happens now, which the age of what is kept counts from: worlds with manual clocks have no
    /// common time. Milliseconds since 1970.
    package var moment: Int64 {
        get { tables.moment }
        set {
            guard newValue != tables.moment else { return }
            tables.moment = newValue
            journal.moment = newValue
        }
    }

    /// A world with nothing in it.
    private static let fixedBytes = 24 << 10
    private static let bytesPerApp = 320
    private static let bytesPerKey = 640
    private static let bytesPerFault = 512
    private static let bytesPerToken = 1024
    private static let bytesPerDeviceAtStart = 320

    /// The file that the world was made of, and the devices in it, which a reset restores.
    private var startBytes: Int {
        start.setup.document.map { $0.utf8.count + start.devices.count * World.bytesPerDeviceAtStart } ?? 0
    }

    /// Takes constant time.
    package var held: HeldBytes {
        var held = HeldBytes()
        held.journal = journal.heldBytes
        held.deliveries = tables[.sandbox].deliveryBytes + tables[.production].deliveryBytes
        held.devices = tables[.sandbox].deviceBytes + tables[.production].deviceBytes
        held.channels = channels.heldBytes
        held.world =
            World.fixedBytes + startBytes + apps.count * World.bytesPerApp + keys.count * World.bytesPerKey
            + recordedAnswers.heldBytes + faults.active.count * World.bytesPerFault + verifiedTokens.count
            * World.bytesPerToken
        return held
    }

    /// When the oldest entry of the journal, or the oldest delivery in the history of a device, was added; nil if there is
    /// nothing to give up.
    package mutating func oldestKept() -> Int64? {
        [journal.oldest, tables[.sandbox].oldestDelivery(), tables[.production].oldestDelivery()]
            .compactMap(\.self).min()
    }

    /// Gives up entries of the journal and deliveries in the histories of devices, the oldest first. Deliveries that wait
    /// stay.
    ///
    /// - Parameters:
    ///   - bytes: How much has to be freed.
    ///   - moment: Only what was added before this time or at it.
    ///   - limit: How many at most, so that the world's lock is held for a short time.
    package mutating func giveUp(bytes: Int, keptUntil moment: Int64, limit: Int) -> GivenUp {
        var given = GivenUp()
        for _ in 0..<limit where given.bytes < bytes {
            let (entry, sandbox, production) = (
                journal.oldest ?? .max, tables[.sandbox].oldestDelivery() ?? .max,
                tables[.production].oldestDelivery() ?? .max
            )
            guard min(entry, sandbox, production) <= moment else { break }
            if entry <= min(sandbox, production) {
                guard let freed = journal.removeOldest() else { break }
                given.bytes += freed
                given.journalEntries += 1
            } else {
                guard let freed = tables[sandbox <= production ? .sandbox : .production].removeOldestDelivery()
                else { break }
                given.bytes += freed
                given.deliveries += 1
            }
        }
        return given
    }

    /// Drops notifications that wait for their devices, in the order of the devices. The last resort.
    ///
    /// - Returns: What happened, beside what was given up.
    package mutating func giveUpWaiting(bytes: Int, limit: Int, real: Int64) -> (GivenUp, [DeliveryEvent]) {
        var given = GivenUp()
        var events: [DeliveryEvent] = []
        let now = now(real: real)
        for _ in 0..<limit where given.bytes < bytes {
            let first = events.count
            var freed = tables[.sandbox].changeNextWaiting {
                $0.dropWaiting(World.whyGivenUp, at: now, into: &events)
            }
            freed =
                freed
                ?? tables[.production].changeNextWaiting {
                    $0.dropWaiting(World.whyGivenUp, at: now, into: &events)
                }
            guard let freed else { break }
            given.bytes += freed
            given.waiting += events.count - first
        }
        for event in events { journal.add(event.life, to: event.delivery.sequence) }
        return (given, events)
    }

    /// How many devices an environment may have now: no more than it has, where there is no memory for more.
    func maximumDevices(in environment: APNSEnvironment) -> Int {
        isMemoryFull ? min(settings.maximumDevices, tables[environment].count) : settings.maximumDevices
    }

    func checkMemory() throws(RegistrationError) {
        if isMemoryFull { throw .memoryFull }
    }

    private static let whyGivenUp =
        "the gateway is at its limit of memory (--memory), and nothing else could be given up"
}
