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
    /// For limits of what the device does itself: no answer can come while it sleeps.
    let limitClock: any DispatchClock
    let start: TaskStarter
    let random: @Sendable () -> UInt64
    nonisolated let makeStamp: @Sendable () -> EventStamp
    let onReport: @Sendable (QueueReport) -> Void

    var core: DeliveryCore
    var isLoaded = false
    /// Whether `end()` was called.
    private(set) var hasEnded = false
    /// Changes that the store could not take. They are part of the next commit.
    var unsaved = StoreChanges()
    /// False after the store could not be synchronized.
    var isSynchronized = true
    /// Answers that wait for the store, at most one for each purpose.
    var earlyAnswers: [EarlyAnswer] = []
    var requests: [DeliveryRequest.ID: (task: Task<Void, Never>, limit: Task<Void, Never>)] = [:]
    var waiters = FlushWaiters()
    var timer: (moment: DispatchMoment, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - destinations: The first of several with one name counts. Events in the store for other names are dropped and
    ///     reported.
    ///   - clock: For waits. A change of the device's time does not affect the system's one. With that one, time in which the
    ///     device sleeps does not count against the limits of requests and flushes.
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
        limitClock = clock is SystemDispatchClock ? SystemDispatchClock(.awake) : clock
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
    public func capture(_ event: CapturedEvent) throws(CaptureError) { try capture(together: [event]) }

    /// Keeps several events of one destination, or none of them.
    ///
    /// - Throws: `CaptureError` if they are not kept. The reason `tooLarge` also means that together they never fit.
    package func capture(together events: [CapturedEvent]) throws(CaptureError) {
        guard let destination = events.first?.destination else { return }
        do { try load() } catch { throw CaptureError(store: error) }
        let victims: [QueueEntry]
        switch core.admit(events) {
        case .refuse(let reason):
            // What is kept may wait for the first call of this process.
            pump()
            throw CaptureError(reason: reason)
        case .keep(let sequence, let entries):
            victims = entries
            var changes = StoreChanges()
            changes.append = zip(sequence..., events).map { StoredEvent(sequence: $0, event: $1) }
            if !victims.isEmpty {
                changes.remove = victims.map(\.sequence)
                changes.state = encode(
                    core.state(afterKeeping: events.count, dropping: victims.count, from: destination))
            }
            do { try save(changes) } catch { throw CaptureError(store: error) }
        }
        report(core.keep(events, victims: victims))
        pump()
    }

    /// The app's network monitor says whether there is a connection. Coming back online starts a flush. Until the first call
    /// the queue assumes that there is one.
    public func networkChanged(isOnline: Bool) {
        core.networkChanged(isOnline: isOnline)
        pump()
    }

    /// Opens the store, and sends what an earlier process has left. Every other call but `stamp()` and
    /// `networkChanged(isOnline:)` does that too.
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
    ///
    /// - Throws: If the store could not remove them, so that they are in its file until the next change that can be stored. They
    ///   are not sent by this process. Calling again tries again.
    public func removeEvents(of destination: DestinationName? = nil) throws(EventStoreError) {
        try load()
        let lane = destination.map { core.index(of: $0) ?? -1 }
        var failure = settle(core.remove(lane), erases: true)
        let synchronizing = synchronize()
        failure = failure ?? synchronizing
        pump()
        if let failure { throw failure }
    }

    /// Stops for good and leaves the store to another queue. What is kept stays there. Each later call fails.
    ///
    /// Requests under way are cancelled, and their answers are ignored: if this queue removed their events later, the next one
    /// would not find them. What the service has taken of them comes again from the next queue, with the same ids.
    package func end() {
        guard !hasEnded else { return }
        if !unsaved.isEmpty { saveSometime(StoreChanges()) }
        hasEnded = true
        isLoaded = false
        timer?.task.cancel()
        timer = nil
        for request in requests.values {
            request.task.cancel()
            request.limit.cancel()
        }
        requests = [:]
        for waiter in waiters.requests { waiters.end(waiter.id, .storeFailed) }
    }
}
