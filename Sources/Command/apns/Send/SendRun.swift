import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// One run of `apns send`: passes the input to the provider, prints results, and ends in order after a signal.
final class SendRun: Sendable {
    private struct State {
        var tally = SendTally()
        var reportedErrors = ReportedErrors()
        /// Whether the run ends because no connection can be opened.
        var gaveUp = false
        /// How many results the provider has given.
        var resultCount = 0
        /// Whether the note about unknown outcomes in the journal was printed.
        var notedDoubtful = false
        /// Whether the summary was printed.
        var isDone = false
    }

    private let feed: NotificationFeed
    private let inputName: String?
    private let isJSON: Bool
    private let gateway: APNSGateway
    private let journal: SendJournal?
    private let rate: Double?
    private let output: Output
    private let state: SharedState
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// - Parameter inputName: How messages name the file that is read line by line; nil where there is none.
    init(
        reader: NotificationReader, _ settings: NotificationFeed.Settings = NotificationFeed.Settings(),
        inputName: String?, isJSON: Bool, gateway: APNSGateway, output: Output
    ) {
        let state = SharedState()
        journal = settings.journal
        rate = settings.rate
        feed = NotificationFeed(reader, settings) { report in
            SendRun.take(report, state, isJSON: isJSON, output)
        }
        self.state = state
        self.inputName = inputName
        self.isJSON = isJSON
        self.gateway = gateway
        self.output = output
    }

    /// Sends everything, prints the summary, and closes the provider.
    func send(with provider: PushProvider) async throws -> ExitStatus {
        let results = provider.send(all: feed)
        let signals = Signals { self.signalled($0, results) }
        let ticker = Task { await self.tick() }
        var taken = 0
        var failure: (any Error)?
        do {
            for try await result in results {
                taken += 1
                self.take(result, results)
            }
        } catch {
            failure = error
        }
        await readRest(after: taken)
        ticker.cancel()
        output.flush()
        output.endProgress()
        let tally = state.value.withLock { $0.tally }
        if tally.total == 0, tally.badLines == 0, tally.doneBefore == 0, failure == nil, !tally.isInterrupted,
            let inputName
        {
            output.note("\(inputName) holds nothing to send.")
        }
        journal?.sync()
        if let fault = journal?.failure {
            output.note("\(fault)\nOutcomes are missing in the journal: the next run counts them as unknown.")
        }
        output.note(tally.summary(after: clock.now - start))
        let isInOrder = state.value.withLock { state in
            state.isDone = true
            return !state.gaveUp && !tally.isInterrupted
        }
        // After giving up, `close` would wait for connections that cannot be opened.
        if isInOrder { await provider.close() }
        withExtendedLifetime(signals) {}
        if let failure { throw CommandError("\(failure)") }
        return tally.exitStatus
    }

    // MARK: Results

    private func take(_ result: APNSSendResult, _ results: APNSSendResults) {
        var line = ResultLine(result)
        let tag = feed.takeTag(result.index)
        if let tag { journal?.end(tag.number, line.outcome) }
        let difference = tag?.recorded?.difference(from: line.outcome)
        line.recorded = tag?.recorded
        if let difference, !isJSON { output.note(difference) }
        let (cause, endsHere) = state.value.withLock { state in
            // The provider cancels the rest when the run gives up. The cause is the missing connection.
            if state.gaveUp, !state.tally.isInterrupted, case .unsent(let error) = line.outcome,
                error.code == .cancelled
            {
                line.outcome = .unsent(SendRun.noConnection)
            }
            state.tally.count(line.outcome, attempts: line.attempts)
            if tag?.recorded != nil { state.tally.countRecorded(isSame: difference == nil, line.outcome) }
            state.resultCount += 1
            // The provider has tried several times, so the rest of the input would fail in the same way.
            let endsHere = !state.gaveUp && line.outcome.error?.code == .connectionFailed
            let cause = state.gaveUp ? nil : line.outcome.error.flatMap { state.reportedErrors.message(about: $0) }
            state.gaveUp = state.gaveUp || endsHere
            // Counted and written under one lock, so that the summary of a run that is killed agrees with its list.
            if isJSON {
                output.result(line.json)
            } else if !state.tally.couldDoNothing {
                // Thousands of equal lines would hide the message about the cause.
                output.result(line.text(style: output.results))
            }
            return (cause, endsHere)
        }
        if let cause { output.note("\(gateway): \(cause)") }
        if endsHere || output.isBroken {
            feed.stop()
            results.stop()
        }
    }

    private static let noConnection = APNSSendError(
        .connectionFailed, "no connection could be opened", isSafeToRetry: true)

    /// Reports an item that the feed does not pass on. Called on the thread of the feed.
    private static func take(_ report: NotificationFeed.Report, _ state: SharedState, isJSON: Bool, _ output: Output) {
        switch report {
        case .fault(let fault):
            state.value.withLock { $0.tally.badLines += 1 }
            output.note(fault)
        case .done(let mark): state.value.withLock { $0.tally.countDone(isAccepted: mark == .accepted) }
        case .doubtful(let notification):
            let error = APNSSendError(
                .cancelled, "the previous run ended without an answer", isSafeToRetry: false)
            let line = ResultLine(notification, .unknown(error))
            let isFirst = state.value.withLock { state in
                state.tally.count(line.outcome, attempts: 0)
                defer { state.notedDoubtful = true }
                return !state.notedDoubtful
            }
            if isFirst {
                output.note(
                    "The journal has no outcome of some notifications of a previous run, which may have been delivered. "
                        + "--resend-unknown sends them again with the same apns-id.")
            }
            output.result(isJSON ? line.json : line.text(style: output.results))
        case .unsendable(let notification, let recorded, let error):
            var line = ResultLine(unsent: notification, error)
            line.recorded = recorded
            state.value.withLock { state in
                state.tally.count(line.outcome, attempts: 0)
                state.tally.countRecorded(isSame: false, line.outcome)
            }
            output.note("\(recorded.place): \(error.detail)")
            output.result(isJSON ? line.json : line.text(style: output.results))
        case .heldBack(let notification, let text):
            let error = APNSSendError(.invalidNotification, "a check found an error", isSafeToRetry: true)
            let line = ResultLine(unsent: notification, error)
            state.value.withLock { $0.tally.count(line.outcome, attempts: 0) }
            output.note(String(text.dropLast()))
            output.result(isJSON ? line.json : line.text(style: output.results))
        }
    }

    // MARK: Ending

    /// Counts the rest of the input. It counts as unsent where the gateway cannot be reached, and as not read otherwise.
    private func readRest(after taken: Int) async {
        let (gaveUp, isInterrupted) = state.value.withLock { ($0.gaveUp, $0.tally.isInterrupted) }
        guard gaveUp || isInterrupted || output.isBroken else { return }
        let areUnsent = gaveUp && !isInterrupted
        let (state, output, isJSON) = (state, output, isJSON)
        let visit = { @Sendable (notification: APNSNotification) in
            let line = ResultLine(unsent: notification, SendRun.noConnection)
            let isListed = state.value.withLock { state in
                state.tally.count(line.outcome, attempts: 0)
                return !state.tally.couldDoNothing
            }
            if isJSON {
                output.result(line.json)
            } else if isListed {
                output.result(line.text(style: output.results))
            }
        }
        let rest = await feed.rest(
            after: taken, isStopped: { areUnsent && state.value.withLock { $0.tally.isInterrupted } },
            visit: areUnsent ? visit : nil)
        state.value.withLock { state in
            switch rest {
            case .all(let count): if !areUnsent { state.tally.notRead = count }
            case .unknown(let count):
                if !areUnsent { state.tally.notRead = count }
                state.tally.isRestUnknown = true
            }
        }
    }

    private func signalled(_ count: Int, _ results: APNSSendResults) {
        guard count == 1 else { exitImmediately() }
        state.value.withLock { $0.tally.isInterrupted = true }
        output.note("Stopping: waiting for answers. A second signal ends at once.")
        feed.stop()
        results.stop()
    }

    private func exitImmediately() -> Never {
        let (tally, resultCount, isDone) = state.value.withLock { state in
            output.flush()
            return (state.tally, state.resultCount, state.isDone)
        }
        guard !isDone else { System.exit(tally.exitStatus) }
        output.note(tally.summary(after: clock.now - start))
        let open = max(feed.takenBySenderCount - resultCount, 0)
        output.note("Ended at once: \(open) more have no outcome and may have been delivered.")
        System.exit(.no)
    }

    // MARK: While it runs

    /// Ten times a second: writes results and syncs the journal, and after a second shows progress.
    private func tick() async {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            output.flush()
            journal?.sync()
            let elapsed = clock.now - start
            // Results on a terminal already show progress.
            guard elapsed > .seconds(1), !output.resultsAreShown else { continue }
            let limit = rate.map { " (at most \(DurationText.decimal($0, places: 1)) a second)" } ?? ""
            output.progress(state.value.withLock { $0.tally }.progress(after: elapsed) + limit)
        }
    }
}

extension APNSOutcome {
    /// Why there is no answer; nil where there is one.
    fileprivate var error: APNSSendError? {
        switch self {
        case .unsent(let error), .unknown(let error): error
        case .accepted, .refused: nil
        }
    }
}
