/// Where a queue keeps its events. The queue owns its store: no other queue and no other process may use it.
///
/// The calls are short and block; the queue makes them one after the other. They throw `EventStoreError`. A call that throws
/// has changed nothing, and a change that has returned survives the end of the process at any instruction.
public protocol EventStore: Sendable {
    /// Opens the store, also again after a failed call. The queue calls it before every other call, and again when a call
    /// has thrown `EventStoreError.Code.damaged`.
    func load() throws -> StoreContents

    /// Passes every event, in the order of the sequences.
    func readAll(_ take: (StoredEvent) -> Void) throws

    /// Stores all of these changes or none.
    func commit(_ changes: StoreChanges) throws

    /// The events with these sequences, in this order. An event that cannot be read any more is missing.
    func events(_ sequences: [Int64]) throws -> [StoredEvent]

    /// Returns when everything survives a loss of power as well, and nothing that was erased is in a file any more.
    func synchronize() throws
}

/// An event as a store keeps it.
public struct StoredEvent: Hashable, Sendable {
    /// The order of capture, from 1.
    public var sequence: Int64
    public var event: CapturedEvent
    /// Whether it records the person's answer about its purpose, so that it is sent without consent.
    public var isRecord: Bool

    public init(sequence: Int64, event: CapturedEvent, isRecord: Bool = false) {
        self.sequence = sequence
        self.event = event
        self.isRecord = isRecord
    }

    var gate: EventGate {
        guard let purpose = event.purpose else { return .open }
        return isRecord ? .record(purpose) : .consent(purpose)
    }
}

/// Changes that belong together.
public struct StoreChanges: Hashable, Sendable {
    /// In the order of their sequences, which are larger than all before.
    public var append: [StoredEvent] = []
    /// The sequences of events that have ended. Some may be unknown to the store.
    public var remove: [Int64] = []
    /// What the queue keeps besides events, if it has changed. A store does not look into it.
    public var state: [UInt8]?
    /// Whether what is removed must not stay in the file, not even where it is not used any more.
    public var erases = false

    public init() {}

    var isEmpty: Bool { append.isEmpty && remove.isEmpty && state == nil && !erases }

    func adding(_ later: StoreChanges) -> StoreChanges {
        var sum = self
        sum.append += later.append
        sum.remove += later.remove
        sum.state = later.state ?? state
        sum.erases = erases || later.erases
        return sum
    }
}

/// What a store contains besides events.
public struct StoreContents: Hashable, Sendable {
    /// The last state that was stored; nil if there is none.
    public var state: [UInt8]?
    /// How damage was repaired; nil if there was none. A store returns it from each `load` until a commit with a state has
    /// returned, also in later processes: only then the queue has stored that every purpose is pending.
    public var recovery: StoreRecovery?

    public init(state: [UInt8]? = nil, recovery: StoreRecovery? = nil) {
        self.state = state
        self.recovery = recovery
    }
}

/// What became of a damaged file.
public struct StoreRecovery: Hashable, Sendable {
    /// The new path of the damaged file. It contains the same personal data as the store.
    public var setAside: String
    /// The number of events that were taken over.
    public var events: Int
    /// The number of bytes that could not be read; nil if unknown.
    public var lostBytes: Int?

    public init(setAside: String, events: Int, lostBytes: Int? = nil) {
        self.setAside = setAside
        self.events = events
        self.lostBytes = lostBytes
    }
}
