import Foundation
public import PushDispatch

/// Keeps everything that an app reports, and sends it in batches when it can.
///
/// ```swift
/// let queue = EventQueue(
///     store: FileEventStore(file: folder.appendingPathComponent("events").path),
///     destinations: [EventDestination("shop", transport: transport)])
/// ```
///
/// Each captured event ends exactly once: it is delivered, or it is in one report of dropped events. A service that has
/// stored a batch and whose answer is lost gets the events again with the same ids, and has to drop the repeats.
public actor EventQueue {
    let store: any EventStore
    let transports: [any EventTransport]
    let clock: any DispatchClock
    let start: TaskStarter
    let random: @Sendable () -> UInt64
    nonisolated let makeStamp: @Sendable () -> EventStamp
    let onReport: @Sendable (QueueReport) -> Void

    var core: DeliveryCore
    var isLoaded = false
    /// Changes that the store could not take. They are part of the next commit.
    var unsaved = StoreChanges()
    var requests: [FlightTicket: (task: Task<Void, Never>, limit: Task<Void, Never>)] = [:]
    var waiters = FlushWaiters()
    var timer: (moment: DispatchMoment, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - destinations: The first of several with one name counts. Events in the store for other names are dropped and
    ///     reported.
    ///   - clock: For waits. A change of the device's time does not affect the system's one.
    ///   - makeStamp: The id and the time of a new event.
    ///   - random: Spreads the tries after failures.
    ///   - onReport: Called in order, inside the actor; it should return quickly.
    public init(
        store: any EventStore, destinations: [EventDestination], clock: any DispatchClock = SystemDispatchClock(),
        makeStamp: @escaping @Sendable () -> EventStamp = { EventStamp(id: EventID(), time: .now()) },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        onReport: @escaping @Sendable (QueueReport) -> Void = { _ in }
    ) {
        self.init(
            store: store, destinations: destinations, clock: clock, makeStamp: makeStamp, random: random,
            tasks: .standard, onReport: onReport)
    }

    package init(
        store: any EventStore, destinations: [EventDestination], clock: any DispatchClock,
        makeStamp: @escaping @Sendable () -> EventStamp, random: @escaping @Sendable () -> UInt64, tasks: TaskStarter,
        onReport: @escaping @Sendable (QueueReport) -> Void
    ) {
        var names: Set<DestinationName> = []
        let destinations = destinations.filter { names.insert($0.name).inserted }
        core = DeliveryCore(destinations.map { ($0.name, $0.policy) })
        transports = destinations.map(\.transport)
        self.store = store
        self.clock = clock
        self.makeStamp = makeStamp
        self.random = random
        start = tasks
        self.onReport = onReport
    }

    deinit {
        timer?.task.cancel()
        for request in requests.values {
            request.task.cancel()
            request.limit.cancel()
        }
    }

    /// The id and the time of an event that happens now. Make it when the event happens, and put both into the body.
    public nonisolated func stamp() -> EventStamp { makeStamp() }

    /// Keeps an event. When this returns, the event survives the end of the process.
    ///
    /// - Throws: `CaptureError` if the event is not kept.
    public func capture(_ event: CapturedEvent) throws(CaptureError) {
        do { try load() } catch { throw CaptureError(store: error) }
        let victims: [QueueEntry]
        switch core.admit(event) {
        case .refuse(let reason): throw CaptureError(reason: reason)
        case .keep(let sequence, let entries):
            victims = entries
            var changes = StoreChanges()
            changes.append = [StoredEvent(sequence: sequence, event: event)]
            if !victims.isEmpty {
                changes.remove = victims.map(\.sequence)
                changes.state = encode(core.state(afterDropping: victims.count, from: event.destination))
            }
            do { try save(changes) } catch { throw CaptureError(store: error) }
        }
        report(core.keep(event, victims: victims))
        pump()
    }

    /// The app's network monitor says whether there is a connection. Coming back online starts a flush. Until the first call
    /// the queue assumes that there is one.
    public func networkChanged(isOnline: Bool) {
        core.networkChanged(isOnline: isOnline)
        pump()
    }

    /// Opens the store, and sends what an earlier process has left. Every other call does that too.
    public func resume() throws(EventStoreError) {
        try load()
        pump()
    }

    /// What is kept for a destination; nil for an unknown one, and while the store cannot be opened.
    public func status(of destination: DestinationName) -> QueueStatus? {
        guard (try? load()) != nil, let index = core.index(of: destination) else { return nil }
        let lane = core.lanes[index]
        return QueueStatus(
            kept: lane.count, bytes: lane.bytes, isSending: lane.inFlight != nil, failures: lane.failures,
            ledger: core.ledgers[destination] ?? DeliveryLedger())
    }

    /// Removes all events, or those of one destination, and reports them as dropped: after a log-out, or in a test.
    public func removeEvents(of destination: DestinationName? = nil) throws(EventStoreError) {
        try load()
        let lane = destination.map { core.index(of: $0) ?? -1 }
        settle(core.remove(lane), erases: true)
        pump()
    }
}

// The store.
extension EventQueue {
    func load() throws(EventStoreError) {
        guard !isLoaded else { return }
        var loaded = core
        var dropped: [DroppedEntry] = []
        let recovery: StoreRecovery?
        do {
            let contents = try store.load()
            recovery = contents.recovery
            loaded.load(decode(contents.state), isTrusted: recovery == nil)
            try store.readAll { event in
                if let drop = loaded.load(event) { dropped.append(drop) }
            }
        } catch {
            let error = EventQueue.reading(error)
            onReport(.storeFailed(error))
            throw error
        }
        loaded.count(dropped)
        var settlement = loaded.loaded()
        settlement.dropped = dropped + settlement.dropped
        core = loaded
        isLoaded = true
        if let recovery { onReport(.storeRecovered(recovery)) }
        if recovery != nil || !settlement.dropped.isEmpty { settle(settlement, erases: false) }
    }

    /// Stores changes together with those that could not be stored before.
    func save(_ changes: StoreChanges) throws(EventStoreError) {
        let all = unsaved.adding(changes)
        do {
            try store.commit(all)
        } catch {
            let error = EventQueue.reading(error)
            onReport(.storeFailed(error))
            throw error
        }
        unsaved = StoreChanges()
    }

    /// Stores changes, now or with the next ones: they have happened already.
    @discardableResult
    func saveSometime(_ changes: StoreChanges) -> EventStoreError? {
        do throws(EventStoreError) {
            try save(changes)
            return nil
        } catch {
            unsaved = unsaved.adding(changes)
            return error
        }
    }

    /// Stores and reports how events have ended.
    func settle(_ settlement: Settlement, erases: Bool = false) {
        var changes = StoreChanges()
        changes.remove = settlement.ended
        changes.state = encode(core.state)
        changes.erases = erases
        if !settlement.ended.isEmpty || isLoaded && erases { saveSometime(changes) }
        report(settlement)
    }

    func report(_ settlement: Settlement) {
        for ticket in settlement.cancelled { requests[ticket]?.task.cancel() }
        settlement.notices.forEach(onReport)
        if !settlement.dropped.isEmpty { onReport(.dropped(settlement.reports)) }
    }

    func events(_ sequences: [Int64]) throws(EventStoreError) -> [StoredEvent] {
        do {
            guard !unsaved.append.isEmpty else { return try store.events(sequences) }
            let held = Dictionary(unsaved.append.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
            let stored = try store.events(sequences.filter { held[$0] == nil })
            let all = held.merging(stored.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
            return sequences.compactMap { all[$0] }
        } catch {
            let error = EventQueue.reading(error)
            onReport(.storeFailed(error))
            throw error
        }
    }

    func encode(_ state: StoredState) -> [UInt8] { (try? JSONEncoder().encode(state)).map { Array($0) } ?? [] }

    /// A state that cannot be read is none: every purpose is pending.
    private func decode(_ bytes: [UInt8]?) -> StoredState {
        bytes.flatMap { try? JSONDecoder().decode(StoredState.self, from: Data($0)) } ?? StoredState()
    }

    static func reading(_ error: any Error) -> EventStoreError {
        error as? EventStoreError
            ?? EventStoreError(code: .unusable, file: "", detail: "the store failed with \(type(of: error))")
    }
}
