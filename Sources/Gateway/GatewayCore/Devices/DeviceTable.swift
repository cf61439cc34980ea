import APNSModel

/// The devices of one environment. A device keeps its slot until it is removed.
struct DeviceTable: Sendable {
    private(set) var slots = DeviceSlots()
    private(set) var index = ShardedDictionary<DeviceToken, Int>()
    private var order = OrdinalIndex<Int>()
    private var implicitCount = 0
    private var nextOrdinal: UInt64 = 0
    /// Where the search for the next device to remove continues.
    private var hand = 0
    /// The slots that changed since the store took them; nil without a store.
    var touched: Set<Int>?
    /// What devices have received, oldest first.
    private var aged = AgedDeliveries()
    /// How many deliveries all histories have.
    private var historyCount = 0
    /// How many deliveries wait for all devices.
    private(set) var waitingCount = 0
    /// The memory of what devices have received and of what waits for them, in bytes.
    private(set) var deliveryBytes = 0
    /// The machine's time of what happens now.
    var moment: Int64 = 0

    @inline(__always)
    subscript(slot: Int) -> Device {
        _read { yield slots[slot] }
        _modify {
            touched?.insert(slot)
            let (bytes, waiting) = (slots[slot].deliveryBytes, slots[slot].waiting.count)
            let before = (count: slots[slot].history.count, appended: slots[slot].history.appendedCount)
            yield &slots[slot]
            deliveryBytes += slots[slot].deliveryBytes - bytes
            waitingCount += slots[slot].waiting.count - waiting
            if slots[slot].history.appendedCount != before.appended || slots[slot].history.count != before.count {
                noteHistory(of: slot, since: before)
            }
        }
    }

    // For the checks: the subscript would copy the whole device.
    func topic(of slot: Int) -> Topic { slots[slot].topic }
    func expiresAt(of slot: Int) -> Int64? { slots[slot].expiresAt }
    func wakeUp(of slot: Int) -> Int64 { slots[slot].wakeUpAt }
    func registration(of slot: Int) -> Device.Registration { slots[slot].registration }

    var count: Int { slots.count }

    func slot(of token: DeviceToken) -> Int? { index[token] }

    /// The first devices in the order of registration.
    ///
    /// - Parameter ordinal: Only devices registered after the one with this ordinal; nil for all.
    func devices(after ordinal: UInt64?, limit: Int) -> [Device] {
        order.elements(after: ordinal, limit: limit) { slots[$0].ordinal == $1 }.map { slots[$0] }
    }

    /// Whether one more device can be added to at most `maximum`.
    ///
    /// - Parameter forgetting: Whether it may replace an implicit one.
    func canAdd(_ maximum: Int, forgetting: Bool) -> Bool {
        slots.count < maximum || forgetting && implicitCount > 0
    }

    /// Adds a device; at `maximum` it replaces the next implicit one, which is returned. `canAdd` must be true.
    mutating func add(
        _ token: DeviceToken, environment: APNSEnvironment, kind: DeviceKind, topic: Topic, isImplicit: Bool,
        at now: Int64, maximum: Int
    ) -> (slot: Int, forgotten: Device?) {
        precondition(index[token] == nil, "the device token is registered already")
        let device = Device(
            token: token, environment: environment, kind: kind, topic: topic, ordinal: nextOrdinal,
            isImplicit: isImplicit, registeredAt: now)
        nextOrdinal += 1
        if isImplicit { implicitCount += 1 }
        if slots.count < maximum {
            index[token] = slots.count
            touched?.insert(slots.count)
            order.append(slots.count, device.ordinal)
            slots.append(device)
            return (slots.count - 1, nil)
        }
        let slot = nextImplicit()
        let forgotten = slots[slot]
        index[forgotten.token] = nil
        implicitCount -= 1
        index[token] = slot
        put(device, in: slot)
        order.append(slot, device.ordinal)
        let current = slots
        order.noteRemoval { current[$0].ordinal == $1 }
        return (slot, forgotten)
    }

    /// Replaces a device by another one with the same device token.
    ///
    /// - Returns: The old device.
    mutating func replace(_ slot: Int, kind: DeviceKind, topic: Topic, at now: Int64) -> Device {
        let old = slots[slot]
        if old.isImplicit { implicitCount -= 1 }
        put(
            Device(
                token: old.token, environment: old.environment, kind: kind, topic: topic, ordinal: old.ordinal,
                isImplicit: false, registeredAt: now), in: slot)
        return old
    }

    private mutating func put(_ device: Device, in slot: Int) {
        touched?.insert(slot)
        let old = slots[slot]
        deliveryBytes -= old.deliveryBytes
        historyCount -= old.history.count
        waitingCount -= old.waiting.count
        slots[slot] = device
        // Entries about a former device of the slot have another ordinal.
        if old.ordinal == device.ordinal { slots[slot].agedCount = old.agedCount }
    }

    /// From now on the device is not removed in favour of another.
    mutating func keep(_ slot: Int) {
        guard slots[slot].isImplicit else { return }
        touched?.insert(slot)
        slots[slot].isImplicit = false
        implicitCount -= 1
    }

    /// Slots are filled and replaced in order, so the first implicit device from `hand` on is the oldest.
    private mutating func nextImplicit() -> Int {
        while true {
            defer { hand = (hand + 1) % slots.count }
            if slots[hand].isImplicit { return hand }
        }
    }
}

// MARK: - Memory

extension DeviceTable {
    /// The memory of the devices without their deliveries, in bytes.
    var deviceBytes: Int { slots.count * Device.fixedBytes }

    private mutating func noteHistory(of slot: Int, since before: (count: Int, appended: Int)) {
        let history = slots[slot].history
        let new = history.appendedCount - before.appended
        historyCount += history.count - before.count
        guard new > 0 else { return }
        slots[slot].agedCount += new
        let entry = AgedDeliveries.Entry(slot: slot, ordinal: slots[slot].ordinal, moment: moment)
        for _ in 0..<new { aged.append(entry) }
        if aged.count > 2 * historyCount + 1024 { removeStaleEntries() }
    }

    /// When the oldest delivery in a history was received, by the machine's clock; nil if there is none.
    mutating func oldestDelivery() -> Int64? {
        dropStaleEntries()
        return aged.first?.moment
    }

    /// Removes the oldest delivery from the history of its device.
    ///
    /// - Returns: Its memory in bytes; nil if there is none.
    mutating func removeOldestDelivery() -> Int? {
        dropStaleEntries()
        guard let entry = aged.removeFirst() else { return nil }
        touched?.insert(entry.slot)
        slots[entry.slot].agedCount -= 1
        let bytes = slots[entry.slot].history.removeFirst().heldBytes
        deliveryBytes -= bytes
        historyCount -= 1
        return bytes
    }

    /// Removes the entries at the front whose deliveries have left their history: a device has more entries than deliveries
    /// then, and its oldest entry is about one that is gone.
    private mutating func dropStaleEntries() {
        while let entry = aged.first {
            let isCurrent = slots[entry.slot].ordinal == entry.ordinal
            if isCurrent, slots[entry.slot].agedCount <= slots[entry.slot].history.count { return }
            _ = aged.removeFirst()
            if isCurrent { slots[entry.slot].agedCount -= 1 }
        }
    }

    private mutating func removeStaleEntries() {
        var kept: [AgedDeliveries.Entry] = []
        for entry in aged.all where slots[entry.slot].ordinal == entry.ordinal { slots[entry.slot].agedCount = 0 }
        // The newest entries of a device are about the deliveries that it still has.
        for entry in aged.all.reversed() where slots[entry.slot].ordinal == entry.ordinal {
            guard slots[entry.slot].agedCount < slots[entry.slot].history.count else { continue }
            slots[entry.slot].agedCount += 1
            kept.append(entry)
        }
        aged = AgedDeliveries(kept.reversed())
    }

    /// Changes the next device that something waits for, in the order of the slots. Where nothing waits, it looks at none of
    /// them: a gateway whose memory is full of devices calls it with every change.
    ///
    /// - Returns: How much memory that freed, in bytes; nil if nothing waits for any device.
    mutating func changeNextWaiting(_ body: (inout Device) -> Void) -> Int? {
        guard waitingCount > 0 else { return nil }
        for _ in 0..<slots.count {
            defer { hand = (hand + 1) % max(1, slots.count) }
            guard !slots[hand].waiting.isEmpty else { continue }
            let before = deliveryBytes
            body(&self[hand])
            return before - deliveryBytes
        }
        return nil
    }
}

extension DeviceTable {
    /// The values of a table beside its devices, for a store.
    package struct Marks: Hashable, Sendable, Codable {
        var nextOrdinal: UInt64
        var hand: Int
    }

    var marks: Marks { Marks(nextOrdinal: nextOrdinal, hand: hand) }

    /// A table from a store.
    ///
    /// - Parameter devices: By slot, up to the first slot without a device.
    init(devices: [Int: Device], _ marks: Marks) {
        var received: [(sequence: UInt64, entry: AgedDeliveries.Entry)] = []
        while var device = devices[slots.count] {
            let entry = AgedDeliveries.Entry(slot: slots.count, ordinal: device.ordinal, moment: 0)
            received += device.history.map { ($0.sequence, entry) }
            device.agedCount = device.history.count
            historyCount += device.history.count
            waitingCount += device.waiting.count
            deliveryBytes += device.deliveryBytes
            index[device.token] = slots.count
            if device.isImplicit { implicitCount += 1 }
            slots.append(device)
        }
        aged = AgedDeliveries(received.sorted { $0.sequence < $1.sequence }.map(\.entry))
        for slot in slots.indices.sorted(by: { slots[$0].ordinal < slots[$1].ordinal }) {
            order.append(slot, slots[slot].ordinal)
        }
        nextOrdinal = max(marks.nextOrdinal, (slots.map(\.ordinal).max() ?? 0) + (slots.isEmpty ? 0 : 1))
        hand = slots.isEmpty ? 0 : marks.hand % slots.count
    }
}
