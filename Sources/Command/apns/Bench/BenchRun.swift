import APNSModel
import APNSProvider
import LoadGenerator
import Synchronization

/// One run of `apns bench`: passes notifications to the provider when they are due, and measures the outcomes.
final class BenchRun: Sendable {
    /// The results of a run.
    struct Measurement {
        var record: LoadRecord
        /// How many notifications were passed to the provider.
        var submitted: Int
        var elapsed: Duration
        var cpu: Duration
        var isInterrupted: Bool
        /// Whether the provider gave up because no connection could be opened.
        var gaveUp: Bool

        var couldDoNothing: Bool { gaveUp && record.accepted + record.refused + record.unknown == 0 }

        var exitStatus: ExitStatus {
            if couldDoNothing { return .failed }
            return !isInterrupted && record.accepted == record.total ? .done : .no
        }
    }

    private struct State {
        var record: LoadRecord
        /// When the measured part began, and the CPU time that the process had used by then.
        var start = Duration.zero
        var startCPU = Duration.zero
        var end = Duration.zero
        var endCPU = Duration.zero
        var isInterrupted = false
        var gaveUp = false
    }

    private let source: BenchSource
    private let state: Mutex<State>
    private let output: Output

    private let gateway: APNSGateway

    /// - Parameter gateway: Where the notifications go, for advice.
    init(
        schedule: Schedule, warmUp: Int, notifications: [APNSNotification], gateway: APNSGateway, output: Output
    ) {
        self.gateway = gateway
        source = BenchSource(schedule, notifications)
        state = Mutex(State(record: LoadRecord(warmUp: warmUp)))
        self.output = output
    }

    /// - Parameter tasks: How many call `send(_:)`; nil uses the bulk form.
    func load(_ provider: PushProvider, tasks: Int?) async throws -> Measurement {
        let signals = Signals { self.signalled($0) }
        let ticker = output.notesAreShown ? Task { await self.showProgress() } : nil
        begin()
        if let tasks {
            await withDiscardingTaskGroup { group in
                for _ in 0..<tasks { group.addTask { await self.sendOneByOne(with: provider) } }
            }
        } else {
            // On the executor of the provider, which saves a thread switch for each result.
            try await withTaskExecutorPreference(provider.executor) {
                for try await result in provider.send(all: source) {
                    take(result.outcome, of: result.index, latency: source.latency(result.index) ?? result.duration)
                }
            }
        }
        end()
        ticker?.cancel()
        output.endProgress()
        withExtendedLifetime(signals) {}
        let state = state.withLock { $0 }
        // After giving up, `close` would wait for connections that cannot be opened.
        if !state.gaveUp, !state.isInterrupted { await provider.close() }
        return Measurement(
            record: state.record, submitted: source.submitted, elapsed: state.end - state.start,
            cpu: state.endCPU - state.startCPU,
            isInterrupted: state.isInterrupted, gaveUp: state.gaveUp)
    }

    private func sendOneByOne(with provider: PushProvider) async {
        while let (slot, notification) = await source.next() {
            let sent = source.elapsed
            let outcome: APNSOutcome
            do throws(APNSSendError) {
                outcome = APNSOutcome(try await provider.send(notification))
            } catch {
                outcome = error.isSafeToRetry ? .unsent(error) : .unknown(error)
            }
            take(outcome, of: slot.index, latency: source.elapsed - (slot.due ?? sent))
        }
    }

    // MARK: Measuring

    private func begin() {
        let (elapsed, cpu) = (source.elapsed, BenchResources.now.cpu)
        state.withLock { state in
            state.start = elapsed
            state.startCPU = cpu
        }
    }

    private func end() {
        let (elapsed, cpu) = (source.elapsed, BenchResources.now.cpu)
        state.withLock { state in
            state.end = elapsed
            state.endCPU = cpu
        }
    }

    private func take(_ outcome: APNSOutcome, of index: Int, latency: Duration) {
        // The provider has tried several times, so the rest would fail in the same way.
        var failure: APNSSendError?
        if case .unsent(let error) = outcome, error.code == .connectionFailed { failure = error }
        let (isStart, endsHere) = state.withLock { state in
            let isStart = state.record.count(LoadOutcome(outcome), of: index, latency: latency)
            let endsHere = !state.gaveUp && failure != nil
            state.gaveUp = state.gaveUp || endsHere
            return (isStart, endsHere)
        }
        if isStart { begin() }
        if endsHere, let failure {
            var reported = ReportedErrors()
            reported.message(about: failure, gateway).map(output.note)
            source.stop()
        }
    }

    // MARK: While it runs

    private func signalled(_ count: Int) {
        guard count == 1 else { System.exit(.no) }
        state.withLock { $0.isInterrupted = true }
        output.note("Stopping: waiting for answers. A second signal ends at once.")
        source.stop()
    }

    private func showProgress() async {
        while (try? await Task.sleep(for: .milliseconds(500))) != nil {
            let total = state.withLock { $0.record.total }
            let seconds = source.elapsed / .seconds(1)
            let all = source.total.map { " of \($0)" } ?? ""
            output.progress("\(total)\(all) notifications, \(Int(Double(total) / seconds)) a second")
        }
    }
}

extension LoadOutcome {
    init(_ outcome: APNSOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .refused(let refusal):
            self = .refused(refusal.reason.code.isEmpty ? "status \(refusal.reason.status)" : refusal.reason.code)
        case .unsent(let error): self = .unsent(error.code.rawValue)
        case .unknown(let error): self = .unknown(error.code.rawValue)
        }
    }
}
