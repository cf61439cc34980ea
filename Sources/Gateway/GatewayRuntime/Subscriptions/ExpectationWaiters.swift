import GatewayConfiguration
import GatewayCore

/// The clients that wait until an expectation of the journal is settled.
///
/// It is protected by the world's lock. Each client's callback is returned once, to be called after the lock is released.
/// After `close()` no client waits.
struct ExpectationWaiters {
    typealias Settled = @Sendable (JournalExpectation) -> Void

    private struct Waiter {
        var expectation: JournalExpectation
        /// How many times the entries that were there before it are being read at this moment; it is not settled before the
        /// last one has ended.
        var readings: Int
        /// Whether it waits where its expectation is not settled once nothing is being read.
        var isPatient = true
        let settled: Settled
    }

    private var waiters: [UInt64: Waiter] = [:]
    /// The id of the newest client that waited.
    private(set) var lastID: UInt64 = 0
    private(set) var isClosed = false
    /// Whether one of them waits for something that happens after the verdict.
    private(set) var needsLife = false

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }
    func isWaiting(_ id: UInt64) -> Bool { waiters[id] != nil }

    /// Whether a client waits for more than the end of a reading.
    func isPatient(_ id: UInt64) -> Bool { waiters[id]?.isPatient == true }

    /// What a client waits for; nil if it does not wait any more.
    func match(of id: UInt64) -> NotificationMatch? { waiters[id]?.expectation.match }

    func checkCapacity() throws(SubscriptionError) {
        guard count < SubscriberLimits.maximumSubscribers else { throw .tooMany }
    }

    /// - Parameter isReading: Whether the entries that are there already come with `read`.
    /// - Returns: What `settle` takes.
    mutating func add(
        _ expectation: JournalExpectation, isReading: Bool = false, _ settled: @escaping Settled
    ) throws(SubscriptionError) -> UInt64 {
        guard !isClosed else { throw .tooMany }
        try checkCapacity()
        lastID += 1
        waiters[lastID] = Waiter(expectation: expectation, readings: isReading ? 1 : 0, settled: settled)
        needsLife = needsLife || expectation.match.requiresLife
        return lastID
    }

    /// Shows a new journal entry to the clients that came no later than `last`.
    ///
    /// - Parameter oldest: The number of the oldest entry of the journal.
    /// - Returns: The callbacks of those whose expectation it settles.
    mutating func added(_ entry: JournalEntry, oldest: UInt64, upTo last: UInt64) -> [@Sendable () -> Void] {
        show(entry, oldest, upTo: last) { _ in true }
    }

    /// The same for an entry that has changed; only for clients that wait for such changes.
    mutating func changed(_ entry: JournalEntry, oldest: UInt64, upTo last: UInt64) -> [@Sendable () -> Void] {
        show(entry, oldest, upTo: last, where: \.match.requiresLife)
    }

    private mutating func show(
        _ entry: JournalEntry, _ oldest: UInt64, upTo last: UInt64, where isConcerned: (JournalExpectation) -> Bool
    ) -> [@Sendable () -> Void] {
        var actions: [@Sendable () -> Void] = []
        for id in waiters.keys where id <= last {
            guard waiters[id].map({ isConcerned($0.expectation) }) == true,
                waiters[id]?.expectation.evaluate(entry, oldest: oldest) == true, waiters[id]?.readings == 0,
                waiters[id]?.expectation.isSettled == true, let action = settle(id)
            else { continue }
            actions.append(action)
        }
        return actions
    }

    /// Shows a part of the journal to a client that was added with `isReading`, or that started again.
    mutating func read(_ world: borrowing World, _ part: Range<UInt64>, for id: UInt64) {
        waiters[id]?.expectation.evaluate(world, part)
    }

    /// The journal was exchanged: each expectation starts again, and the entries that are there come with `read`.
    ///
    /// - Returns: The clients that wait, for `read` and `endReading`.
    mutating func startAgain() -> [UInt64] {
        for id in waiters.keys {
            waiters[id]?.expectation.startAgain()
            waiters[id]?.readings += 1
        }
        return Array(waiters.keys)
    }

    /// The client has seen the whole journal.
    ///
    /// - Parameter isPatient: Whether it waits if its expectation is not settled yet.
    /// - Returns: The call of its callback; nil if it waits, or was settled already.
    mutating func endReading(_ id: UInt64, isPatient: Bool) -> (@Sendable () -> Void)? {
        waiters[id]?.readings -= 1
        if !isPatient { waiters[id]?.isPatient = false }
        guard let waiter = waiters[id],
            isClosed || waiter.readings == 0 && (!waiter.isPatient || waiter.expectation.isSettled)
        else { return nil }
        return settle(id)
    }

    /// The time of a client is over: it waits for nothing but the end of a reading.
    ///
    /// - Returns: The call of its callback; nil where something is being read, or it does not wait.
    mutating func endPatience(_ id: UInt64) -> (@Sendable () -> Void)? {
        waiters[id]?.isPatient = false
        return waiters[id]?.readings == 0 ? settle(id) : nil
    }

    /// Compares each expectation with the whole journal again.
    mutating func reevaluate(_ world: borrowing World) {
        for id in waiters.keys { waiters[id]?.expectation.evaluate(world) }
    }

    /// Ends one wait with what it has seen so far.
    ///
    /// - Returns: The call of its callback; nil if no client waits under this id.
    mutating func settle(_ id: UInt64) -> (@Sendable () -> Void)? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        if waiters.isEmpty { needsLife = false }
        return { waiter.settled(waiter.expectation) }
    }

    /// Ends all waits. Adding another one throws from now on.
    mutating func close() -> [@Sendable () -> Void] {
        isClosed = true
        return waiters.keys.compactMap { settle($0) }
    }
}
