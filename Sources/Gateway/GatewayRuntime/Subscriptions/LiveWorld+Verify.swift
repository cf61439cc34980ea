package import GatewayCore
package import NIOCore
import Synchronization

/// What clients call that wait for an expectation of the journal.
extension LiveWorld {
    /// The result of comparing the journal with an expectation.
    package struct Verification: Sendable {
        package let isSatisfied: Bool
        package let matched: Int
        package let count: ExpectedCount
        /// The `apns-unique-id` of the newest entries that match.
        package let newest: [String]
        /// Entries that almost match, if too few match.
        package let nearMisses: [NearMiss]
    }

    /// How many clients wait.
    var waiterCount: Int { withState { $0.waiters.count } }

    /// Compares the journal with an expectation, and waits until nothing can change the answer any more.
    ///
    /// It is woken by each judged request and each event in a notification's life. There is no polling; a clock only ends
    /// the wait.
    ///
    /// - Parameters:
    ///   - within: How long to wait at most from now on, in milliseconds of the machine's time; nil or 0 does not wait. If the
    ///     journal is still being read then, the answer comes when all of it has been read.
    ///   - eventLoop: Has the timer that ends the wait.
    ///   - isDisconnected: Whether the connection is closed. It is asked before each part of the journal, and ends the reading.
    ///   - whenAbandoned: Takes what to call when the client does not wait any more, which ends the wait as the timer does: it
    ///     may have closed its direction only. An expectation that the journal did not settle then has no entries to show,
    ///     because searching for them takes time that others would wait for.
    /// - Throws: `tooMany` where no more clients can wait; `cutShort` where the wait ended before the time was over, and the
    ///   journal did not settle the expectation.
    package func verify(
        _ expectation: JournalExpectation, within: Int64?, on eventLoop: any EventLoop,
        isDisconnected: () -> Bool = { false },
        whenAbandoned: (_ stop: @escaping @Sendable () -> Void) -> Void = { _ in }
    ) async throws(SubscriptionError) -> Verification {
        // Nil says that the client does not wait any more; the expectation as it is then comes after it.
        let (answers, answer) = AsyncStream.makeStream(
            of: JournalExpectation?.self, bufferingPolicy: .bufferingOldest(2))
        let patience = max(0, within ?? 0)
        var timer: Scheduled<Void>?
        let patienceEnd = PatienceEnd()
        var hasBegun = false
        let id = try await wait(
            for: expectation, isPatient: patience > 0,
            { settled in
                answer.yield(settled)
                answer.finish()
            }, isDisconnected: isDisconnected,
            began: { id in
                hasBegun = true
                guard patience > 0 else { return }
                let endPatience: @Sendable () -> Void = {
                    patienceEnd.come()
                    self.change { state, _ in state.endPatience(id) }
                }
                timer = eventLoop.scheduleTask(in: .milliseconds(patience), endPatience)
                whenAbandoned {
                    answer.yield(nil)
                    endPatience()
                }
            })
        var isAbandoned = false
        var last: JournalExpectation?
        for await seen in answers {
            guard let seen else {
                isAbandoned = true
                continue
            }
            last = seen
            break
        }
        timer?.cancel()
        if let id { stopWaiting(id) }
        // There is none where the gateway stops, which cancels this task.
        guard let settled = last else { throw .cutShort }
        let isClosed = withState { $0.waiters.isClosed }
        // The end may have cut a reading short whose time was over.
        let isWhole = patience > 0 ? patienceEnd.hasCome && !isClosed : !hasBegun || !isClosed
        guard settled.isSettled || isWhole || isDisconnected() else { throw .cutShort }
        guard !isDisconnected(), !isAbandoned || settled.isSettled else {
            return Verification(
                isSatisfied: settled.isMet, matched: settled.matchedCount, count: settled.count, newest: [],
                nearMisses: [])
        }
        var misses: [NearMiss] = []
        let isShort = !settled.isMet && !settled.count.isBroken(by: settled.matchedCount)
        if isShort { misses = await nearMisses(of: settled) }
        return Verification(
            isSatisfied: settled.isMet, matched: settled.matchedCount, count: settled.count,
            newest: newest(of: settled), nearMisses: misses)
    }

    private func newest(of expectation: JournalExpectation) -> [String] {
        read { world, _ in expectation.newest(in: world) }
    }

    private func nearMisses(of expectation: JournalExpectation) async -> [NearMiss] {
        var search = MatchSearch(expectation.match, since: expectation.since)
        await scanJournal(for: expectation.match) { search.read($0, $1) }
        return search.result.nearMisses
    }

    /// Reads the journal in parts, newest first, each with a limited amount of work for this match. Between two parts the
    /// lock is released, and other tasks run.
    private func scanJournal(
        for match: NotificationMatch, _ body: (borrowing World, _ part: Range<UInt64>) -> Void
    ) async {
        var scan = JournalScan(read { world, _ in world.journalSequences }, for: match)
        while readNext(&scan, body) { await Task.yield() }
    }

    /// - Returns: Whether there was a next part.
    private func readNext(
        _ scan: inout JournalScan, _ body: (borrowing World, _ part: Range<UInt64>) -> Void
    ) -> Bool {
        read { world, _ in
            guard let part = scan.next(in: world) else { return false }
            body(world, part)
            return true
        }
    }

    /// - Parameters:
    ///   - isPatient: Whether to wait for an expectation that is not settled yet.
    ///   - settled: Called once, perhaps before this returns; not before `stopWaiting` or a matching entry.
    ///   - isDisconnected: Asked before each part of the journal. If it is true, the rest is not read, and nothing is waited for.
    ///   - began: Called with what `stopWaiting` takes, before the journal is read.
    /// - Returns: What `stopWaiting` takes; nil if the expectation is settled already.
    func wait(
        for expectation: JournalExpectation, isPatient: Bool, _ settled: @escaping ExpectationWaiters.Settled,
        isDisconnected: () -> Bool = { false }, began: (_ id: UInt64) -> Void = { _ in }
    ) async throws(SubscriptionError) -> UInt64? {
        // From here on it sees new entries; those that are there already it reads in parts.
        let (id, before) = try change { (state, _) throws(SubscriptionError) -> (UInt64?, Range<UInt64>) in
            guard !state.waiters.isClosed else { return (nil, 0..<0) }
            return (try state.waiters.add(expectation, isReading: true, settled), state.world.journalSequences)
        }
        guard let id else {
            var seen = expectation
            seen.startAgain()
            await scanJournal(for: expectation.match) { seen.evaluate($0, $1) }
            settled(seen)
            return nil
        }
        began(id)
        var scan = JournalScan(before, for: expectation.match)
        var isLeft = isDisconnected()
        while !isLeft, readNext(&scan, for: id) {
            await Task.yield()
            isLeft = isDisconnected()
        }
        let staysPatient = isPatient && !isLeft
        return change { state, _ in
            if let settle = state.waiters.endReading(id, isPatient: staysPatient) { state.afterUnlock(settle) }
            return state.waiters.isWaiting(id) ? id : nil
        }
    }

    /// Shows the journal to clients that started again, in parts.
    ///
    /// - Parameters:
    ///   - before: The entries that were there when they started again.
    ///   - ids: What `ExpectationWaiters.startAgain` returned.
    func reread(_ before: Range<UInt64>, for ids: [UInt64]) {
        guard !ids.isEmpty else { return }
        for id in ids {
            guard let match = withState({ $0.waiters.match(of: id) }) else { continue }
            var scan = JournalScan(before, for: match)
            while readNext(&scan, for: id) {}
        }
        change { state, _ in
            for id in ids {
                if let settle = state.waiters.endReading(id, isPatient: true) { state.afterUnlock(settle) }
            }
        }
    }

    /// Shows the next part of the journal to a client that was added with `isReading`, or that started again.
    ///
    /// - Returns: Whether there was one.
    private func readNext(_ scan: inout JournalScan, for id: UInt64) -> Bool {
        withState { state in
            guard state.waiters.isWaiting(id), let part = scan.next(in: state.world) else { return false }
            state.waiters.read(state.world, part, for: id)
            return true
        }
    }

    /// Settles a waiting expectation as it is. A second call changes nothing.
    func stopWaiting(_ id: UInt64) { change { state, _ in state.stopWaiting(id) } }
}

/// Whether a client waits no longer, because its time is over or it has left.
private final class PatienceEnd: Sendable {
    private let value = Mutex(false)

    var hasCome: Bool { value.withLock { $0 } }
    func come() { value.withLock { $0 = true } }
}
