import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// One run of `apns send`: passes the input to the provider, prints results, and ends in order after a signal.
final class SendRun: Sendable {
    private let feed: NotificationFeed
    private let inputName: String?
    private let journal: SendJournal?
    private let rate: Double?
    private let output: Output
    private let state: SharedState
    /// Whether the provider takes nothing more, and the run ends without waiting for answers.
    private let hasStopped = Atomic(false)
    private let endsAtOnce = Atomic(false)
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    private struct State: ~Copyable, Sendable {
        var report: SendReport
        /// Whether the summary was printed.
        var isDone = false
    }

    private final class SharedState: Sendable {
        private let value: Mutex<State>
        private let isInterrupted = Atomic(false)
        private let output: Output

        init(_ report: consuming SendReport, _ output: Output) {
            value = Mutex(State(report: report))
            self.output = output
        }

        /// Changes the report and prints what it has to say.
        ///
        /// Counted and written under one lock, so that the summary of a run that is killed agrees with its list.
        func report<Result: Sendable>(_ change: (inout SendReport) -> Result) -> Result {
            let (result, notes) = withLock { state in
                let result = change(&state.report)
                state.report.flush(to: output)
                return (result, state.report.takeNotes())
            }
            for note in notes { output.note(note) }
            return result
        }

        /// Does not wait for the lock, which is held for as long as nobody reads stdout.
        func interrupt() { isInterrupted.store(true, ordering: .releasing) }

        func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
            value.withLock { state in
                if isInterrupted.load(ordering: .acquiring) { state.report.interrupt() }
                return body(&state)
            }
        }

        var tally: SendTally { withLock { $0.report.tally } }
    }

    /// - Parameters:
    ///   - inputName: How messages name the file that is read line by line; nil where there is none.
    ///   - timeout: How long each notification waits for its answer.
    init(
        reader: NotificationReader, _ settings: NotificationFeed.Settings, inputName: String?, isJSON: Bool,
        gateway: APNSGateway, timeout: Duration, output: Output
    ) {
        let state = SharedState(
            SendReport(isJSON ? .json : .text(output.results), gateway: gateway, timeout: timeout), output)
        journal = settings.journal
        rate = settings.rate
        feed = NotificationFeed(reader, settings) { report in state.report { $0.take(report) } }
        self.state = state
        self.inputName = inputName
        self.output = output
    }

    /// Sends everything, prints the summary, and closes the provider.
    func send(with provider: PushProvider) async throws -> ExitStatus {
        let lane = BroadcastLane(
            journal: journal, send: { await BroadcastRun.outcome($0, provider) },
            report: { [self] line, number in
                let now = clock.now - start
                let endsHere = state.report { report in
                    journal?.end(CollectionOfOne((number: number, outcome: line.outcome)))
                    return report.take(line, at: now)
                }
                if endsHere || output.isBroken { feed.stop() }
            })
        feed.setLane(lane)
        let results = provider.send(batches: { [feed] in try await feed.nextBatch() })
        let signals = Signals { self.signalled($0, results, lane) }
        let ticker = Task {
            await self.tick {
                guard self.feed.isStopped else { return }
                results.stop()
                provider.stopWaiting()
            }
        }
        var taken = 0
        var failure: (any Error)?
        do {
            var iterator = results.makeAsyncIterator()
            while let batch = try await iterator.nextBatch() {
                taken += batch.count
                take(batch, results)
            }
        } catch {
            failure = error
        }
        await lane.finish()
        await readRest(after: taken, isNeeded: failure != nil)
        // The second signal has come: `exitImmediately` counts, prints and ends the process.
        while endsAtOnce.load(ordering: .acquiring) { try? await Task.sleep(for: .seconds(1)) }
        ticker.cancel()
        output.flush()
        output.endProgress()
        let tally = state.tally
        if tally.total == 0, tally.badLines == 0, tally.doneBefore == 0, failure == nil, !tally.isInterrupted,
            let inputName
        {
            output.note("\(inputName) holds nothing to send.")
        }
        journal?.sync()
        if let fault = journal?.failure {
            output.note("\(fault)\nOutcomes are missing in the journal: the next run counts them as unknown.")
        }
        // Under one lock, or a second signal in between would print another summary.
        let isInOrder = state.withLock { state in
            output.note(tally.summary(after: clock.now - start))
            state.isDone = true
            return !state.report.gaveUp && !tally.isInterrupted
        }
        // After giving up, `close` would wait for connections that cannot be opened.
        if isInOrder { await provider.close() }
        withExtendedLifetime(signals) {}
        if let failure { throw CommandError("\(failure)") }
        return tally.exitStatus
    }

    private func take(_ batch: [APNSSendResult], _ results: APNSSendResults) {
        let tags = feed.takeTags(batch.lazy.map(\.index))
        let recorded = feed.takeRecorded(tags)
        let now = clock.now - start
        let endsHere = state.report { report in
            // The journal has an outcome before the result is printed. Both happen under one lock, so that the summary of a
            // run that is killed agrees with the journal.
            if let journal {
                journal.end(
                    batch.indices.lazy.compactMap { index in tags[index].map { ($0.number, batch[index].outcome) } })
            }
            var endsHere = false
            for index in batch.indices {
                var line = ResultLine(batch[index])
                if let tag = tags[index] {
                    line.line = tag.line
                    line.recorded = recorded[tag.number]
                }
                if report.take(line, at: now) { endsHere = true }
            }
            return endsHere
        }
        if endsHere || output.isBroken {
            feed.stop()
            results.stop()
        }
    }

    // MARK: Ending

    /// Counts the rest of the input. It counts as unsent where the gateway cannot be reached, and as not read otherwise.
    ///
    /// - Parameter isNeeded: Whether the run ended for another reason than those that are known here.
    private func readRest(after taken: Int, isNeeded: Bool) async {
        let (gaveUp, isInterrupted) = state.withLock { ($0.report.gaveUp, $0.report.tally.isInterrupted) }
        guard gaveUp || isInterrupted || output.isBroken || isNeeded else { return }
        let areUnsent = gaveUp && !isInterrupted
        let state = state
        let visit = { @Sendable (message: NotificationFeed.Unsent) in state.report { $0.giveUp(on: message) } }
        let rest = await feed.rest(
            after: taken,
            isStopped: { [self] in
                endsAtOnce.load(ordering: .acquiring) || areUnsent && state.tally.isInterrupted
            }, visit: areUnsent ? visit : nil)
        state.report { $0.end(with: rest, isReported: areUnsent) }
    }

    /// Waits for no lock after the first signal, so that the second one gets here.
    private func signalled(_ count: Int, _ results: APNSSendResults, _ lane: BroadcastLane) {
        guard count == 1 else { exitImmediately(results, lane) }
        state.interrupt()
        feed.stop()
        results.stop { [self] in hasStopped.store(true, ordering: .releasing) }
        output.noteNow("Stopping: waiting for answers. A second signal ends at once.")
    }

    /// Prints the summary with exact counts, as far as the rest of the input can be counted in a second.
    private func exitImmediately(_ results: APNSSendResults, _ lane: BroadcastLane) -> Never {
        endsAtOnce.store(true, ordering: .releasing)
        let taken = hasStopped.load(ordering: .acquiring) ? results.takenCount : nil
        let extent = feed.extent(after: taken, until: .now() + .seconds(1))
        // Where nobody reads the results, they cannot be printed.
        DispatchQueue(label: "apns.exit").asyncAfter(deadline: .now() + .seconds(1)) { System.exit(.no) }
        state.withLock { state in
            output.flush()
            guard !state.isDone else { System.exit(state.report.tally.exitStatus) }
            // No outcome is recorded or printed after this, because the lock is kept.
            let open = if let journal { journal.close() } else { openCount(state.report, results, lane) }
            state.report.end(at: extent, open: open)
            output.note(state.report.tally.summary(after: clock.now - start))
            output.note(SendRun.endedAtOnce(open: open, hasJournal: journal != nil))
            System.exit(.no)
        }
        System.exit(.no)
    }

    /// How many notifications and broadcasts were taken and have no result.
    private func openCount(
        _ report: borrowing SendReport, _ results: APNSSendResults, _ lane: BroadcastLane
    ) -> Int {
        max(results.takenCount - report.resultCount, 0) + max(lane.takenCount - report.broadcastCount, 0)
    }

    static func endedAtOnce(open: Int, hasJournal: Bool) -> String {
        guard open > 0 else { return "Ended at once." }
        return "Ended at once: \(open) more \(open == 1 ? "has" : "have") no outcome and may have been delivered"
            + (hasJournal ? "; the next run with the journal lists them as unknown." : ".")
    }

    // MARK: While it runs

    /// Ten times a second: writes results and syncs the journal, and after a second shows progress.
    ///
    /// - Parameter endWaiting: Ends what waits to be sent, once the feed is stopped. It is called each time, because a
    ///   broadcast may reach the provider a little after the stop.
    private func tick(_ endWaiting: () -> Void) async {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            endWaiting()
            output.flush()
            journal?.sync()
            let elapsed = clock.now - start
            // Results on a terminal already show progress.
            guard elapsed > .seconds(1), !output.resultsAreShown else { continue }
            let limit = rate.map { " (at most \(DurationText.decimal($0, places: 1)) a second)" } ?? ""
            output.progress(state.tally.progress(after: elapsed, of: feed.inputPosition) + limit)
        }
    }
}
