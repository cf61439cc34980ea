import Simulation
import SimulationSQLite
import Synchronization

/// One run of `apns simulate --seeds`: runs many seeds, shows progress, and reports those that fail.
final class SimulateRun: Sendable {
    /// How many failing seeds are shown. A bug that breaks every run needs no more.
    private static let maximumShown = 20

    private struct State {
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var jobs = 0
        var simulatedMilliseconds: Int64 = 0
        var shown: ContinuousClock.Instant
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isRaised: Bool { value.load(ordering: .relaxed) }
        func raise() { value.store(true, ordering: .relaxed) }
    }

    private let first: UInt64
    private let count: UInt64
    private let worlds: [SimulatedWorld]
    private let isJSON: Bool
    private let began = ContinuousClock.now
    private let state: Mutex<State>

    init(first: UInt64, count: UInt64, worlds: [SimulatedWorld], isJSON: Bool) {
        self.first = first
        self.count = count
        self.worlds = worlds
        self.isJSON = isJSON
        state = Mutex(State(shown: began))
    }

    func execute(threads: Int) async throws {
        let isStopped = Flag()
        let signals = Signals { _ in isStopped.raise() }
        defer { withExtendedLifetime(signals) {} }
        try await SimulateRun.attempt {
            try await Simulation.run(
                seeds: self.first..<(self.first + self.count), worlds: self.worlds, threads: threads, files: .sqlite()
            ) { report in
                self.note(report)
                return !isStopped.isRaised
            }
        }
        Output.standard.endProgress()
        let (done, failed) = state.withLock { ($0.done, $0.failed) }
        Output.standard.note(summary)
        if failed > 0 { try ExitStatus.no.end() }
        if done < count { try ExitStatus.failed.end() }
    }

    static func attempt<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw CommandError("the simulation could not run: \(error)")
        }
    }

    private func note(_ report: SimulationReport) {
        state.withLock { state in
            state.done += 1
            state.jobs += report.jobs
            state.simulatedMilliseconds += report.simulatedMilliseconds
            if !report.isGood {
                state.failed += 1
                if state.failed <= SimulateRun.maximumShown { show(report) }
            }
            let now = ContinuousClock.now
            guard now - state.shown >= .milliseconds(200) else { return }
            state.shown = now
            Output.standard.progress(
                "\(state.done) of \(count) seeds, \(state.failed) failed, \(rate(state.done)) seeds/s")
        }
    }

    private func show(_ report: SimulationReport) {
        if isJSON { return Output.standard.result(SimulateText.json(report)) }
        Output.standard.result("seed \(report.seed) failed: \(report.violations.first ?? "")")
        Output.standard.result("  replay it with: \(SimulateText.replay(report))")
    }

    private func rate(_ done: UInt64) -> Int {
        let seconds = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1_000
        return Int(Double(done) / max(seconds, 0.001))
    }

    private var summary: String {
        state.withLock { state in
            "\(state.done) seeds from \(first), \(state.failed) failed; "
                + "\(SimulateText.hours(state.simulatedMilliseconds)) of simulated time, "
                + "\(rate(state.done)) seeds/s"
        }
    }
}
