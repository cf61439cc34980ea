import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// One run of `apns send`: feeds the provider, prints results, and ends in order when it is told to.
final class SendRun: Sendable {
    private struct State {
        var tally = SendTally()
        /// What was told about notifications without an answer, so that it is told once.
        var causes: Set<String> = []
        /// Whether the run was ended because no connection could be opened, or none any more.
        var gaveUp = false
        /// How many results the provider has given.
        var resultCount = 0
        /// Whether it was said that the journal has open ends.
        var toldOfDoubt = false
        /// Whether the summary was printed, so that nothing is left to be said.
        var isDone = false

        private static let maximumCauses = 20

        /// What to say about an error that was not told before; nil for one that was.
        mutating func news(_ error: APNSSendError) -> String? {
            // That it was stopped is known to whoever stopped it.
            guard error.code != .cancelled, causes.count <= State.maximumCauses,
                causes.insert(error.description).inserted
            else { return nil }
            guard causes.count <= State.maximumCauses else {
                return "there are more causes, which are not shown"
            }
            return PlainText.safe(error.description) + advice(error)
        }

        private func advice(_ error: APNSSendError) -> String {
            switch error.code {
            case .connectionFailed:
                "\n    Check that the gateway runs there, its port, --ca and, if you use one, --certificate."
            case .deadlineExceeded: "\n    A longer --timeout waits longer."
            default: ""
            }
        }
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

    /// - Parameter inputName: How messages name the input that is read bit by bit; nil where there is none.
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
            output.note("\(fault)\nOutcomes are missing from the journal: they count as unknown when it is used again.")
        }
        output.note(tally.summary(after: clock.now - start))
        let isInOrder = state.value.withLock { state in
            state.isDone = true
            return !state.gaveUp && !tally.isInterrupted
        }
        // A connection that does not come about would only be waited for.
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
            // What the end of the run gave back had no connection either.
            if state.gaveUp, !state.tally.isInterrupted, case .unsent(let error) = line.outcome,
                error.code == .cancelled
            {
                line.outcome = .unsent(SendRun.noConnection)
            }
            state.tally.count(line.outcome, attempts: line.attempts)
            if tag?.recorded != nil { state.tally.countRecorded(isSame: difference == nil, line.outcome) }
            state.resultCount += 1
            // The provider has tried several times; the rest of the input would only wait to hear the same.
            let endsHere = !state.gaveUp && line.outcome.error?.code == .connectionFailed
            let cause = state.gaveUp ? nil : line.outcome.error.flatMap { state.news($0) }
            state.gaveUp = state.gaveUp || endsHere
            // Counted and written in one step, so that a run that is ended at once counts as many as it lists.
            if isJSON {
                output.result(line.json)
            } else if !state.tally.couldDoNothing {
                // Ten thousand lines that say the same would hide what it is.
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

    /// What the feed does not hand over. Called on its thread.
    private static func take(_ report: NotificationFeed.Report, _ state: SharedState, isJSON: Bool, _ output: Output) {
        switch report {
        case .fault(let fault):
            state.value.withLock { $0.tally.badLines += 1 }
            output.note(fault)
        case .done(let mark): state.value.withLock { $0.tally.countDone(isAccepted: mark == .accepted) }
        case .doubtful(let notification):
            let error = APNSSendError(
                .cancelled, "the run before ended without an answer", isSafeToRetry: false)
            let line = ResultLine(notification, .unknown(error))
            let isFirst = state.value.withLock { state in
                state.tally.count(line.outcome, attempts: 0)
                defer { state.toldOfDoubt = true }
                return !state.toldOfDoubt
            }
            if isFirst {
                output.note(
                    "The journal does not know what became of some notifications of a run before, which may have been "
                        + "delivered. --resend-unknown sends them again with the same apns-id.")
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

    /// Counts what was left in the input. Where the gateway cannot be reached it is unsent like what was read before.
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
        guard count == 1 else { endAtOnce() }
        state.value.withLock { $0.tally.isInterrupted = true }
        output.note("Stopping: waiting for what is under way. Once more ends at once.")
        feed.stop()
        results.stop()
    }

    private func endAtOnce() -> Never {
        let (tally, resultCount, isDone) = state.value.withLock { state in
            output.flush()
            return (state.tally, state.resultCount, state.isDone)
        }
        guard !isDone else { System.exit(tally.exitStatus) }
        output.note(tally.summary(after: clock.now - start))
        let open = max(feed.handedOverCount - resultCount, 0)
        output.note("Ended at once: \(open) more have no outcome yet and may have been delivered.")
        System.exit(.no)
    }

    // MARK: While it runs

    /// Ten times a second: results to whoever reads them, and, after a second, progress.
    private func tick() async {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            output.flush()
            journal?.sync()
            let elapsed = clock.now - start
            // Where the results themselves scroll by, nobody needs to be told that it goes on.
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
