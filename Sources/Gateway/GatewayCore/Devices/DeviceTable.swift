import APNSModel

/// The devices of one environment. A device keeps its slot until it is removed.
struct DeviceTable: Sendable {
    private(set) var slots: [Device] = []
    private var index: [DeviceToken: Int] = [:]
    private var implicitCount = 0
    private var nextOrdinal: UInt64 = 0
    /// Where the search for the next device to remove continues.
    private var hand = 0
    /// The slots that changed since the store took them; nil without a store.
    var touched: Set<Int>?

    @inline(__always)
    subscript(slot: Int) -> Device {
        _read { yield slots[slot] }
        _modify {
            touched?.insert(slot)
            yield &slots[slot]
        }
    }

    // For the checks: the subscript would copy the whole device.
    func topic(of slot: Int) -> Topic { slots.withUnsafeBufferPointer { $0[slot].topic } }
    func expiresAt(of slot: Int) -> Int64? { slots.withUnsafeBufferPointer { $0[slot].expiresAt } }
    func wakeUp(of slot: Int) -> Int64 { slots.withUnsafeBufferPointer { $0[slot].wakeUpAt } }
    func registration(of slot: Int) -> Device.Registration { slots.withUnsafeBufferPointer { $0[slot].registration } }

    var count: Int { slots.count }

    func slot(of token: DeviceToken) -> Int? { index[token] }

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
            slots.append(device)
            return (slots.count - 1, nil)
        }
        let slot = nextImplicit()
        let forgotten = slots[slot]
        index[forgotten.token] = nil
        implicitCount -= 1
        index[token] = slot
        touched?.insert(slot)
        slots[slot] = device
        return (slot, forgotten)
    }

    /// Replaces a device by another one with the same device token.
    ///
    /// - Returns: The old device.
    mutating func replace(_ slot: Int, kind: DeviceKind, topic: Topic, at now: Int64) -> Device {
        let old = slots[slot]
        if old.isImplicit { implicitCount -= 1 }
        touched?.insert(slot)
        slots[slot] = Device(
            token: old.token, environment: old.environment, kind: kind, topic: topic, ordinal: old.ordinal,
            isImplicit: false, registeredAt: now)
        return old
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
        while let device = devices[slots.count] {
            index[device.token] = slots.count
            if device.isImplicit { implicitCount += 1 }
            slots.append(device)
        }
        nextOrdinal = max(marks.nextOrdinal, (slots.map(\.ordinal).max() ?? 0) + (slots.isEmpty ? 0 : 1))
        hand = slots.isEmpty ? 0 : marks.hand % slots.count
    }
}
