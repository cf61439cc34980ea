import SimulationSQLite
import Synchronization
import TestSeeds
import Testing

@testable import Simulation

/// Few seeds, because a run in a debug build takes a tenth of a second. `apns-seeds FIRST COUNT` runs thousands, and
/// `APNS_SEED` and `APNS_SEEDS` give these tests others.
struct SimulationTests {
    /// Every tenth is on SQLite. They have every kind of event among them.
    private static let seeds: ClosedRange<UInt64> = 1...105

    /// Not an argument for each seed, because each run has a thread of its own.
    @Test func `no seed violates an invariant, and every kind of event happens in some seed`() async throws {
        let found = Mutex<[String]>([])
        let sum = Mutex<[SimulationReport.Kind: Int]>([:])
        let seeds = TestSeed.all(Self.seeds).map(\.value)
        try await Simulation.run(seeds: seeds, worlds: [.records], threads: 2, files: .sqlite()) { report in
            sum.withLock { $0.merge(report.counts, uniquingKeysWith: +) }
            if let violation = report.violations.first {
                found.withLock { $0.append("apns simulate --seed \(report.seed) --trace: \(violation)") }
            }
            return true
        }
        #expect(found.withLock { $0 }.isEmpty)
        // A few others need not have every kind.
        guard seeds.count >= Self.seeds.count else { return }
        let counts = sum.withLock { $0 }
        for kind in SimulationReport.Kind.allCases where kind.worlds.contains(.records) {
            #expect(counts[kind, default: 0] > 0, "\(kind.rawValue)")
        }
    }

    @Test func `the same seed gives the same trace`() async throws {
        for seed in TestSeed.all(7...10) {
            let first = try await Simulation.run(
                seed: seed.value, worlds: [.records], recordsTrace: true, files: .sqlite())
            let second = try await Simulation.run(
                seed: seed.value, worlds: [.records], recordsTrace: true, files: .sqlite())
            // Two whole traces would fill the screen.
            let difference = zip(first.trace, second.trace).first { $0 != $1 }.map { "\($0.0) | \($0.1)" }
            #expect(difference == nil, "\(seed)")
            #expect(first.trace.count == second.trace.count, "\(seed)")
            #expect(first.jobs == second.jobs)
            #expect(first.counts == second.counts)
        }
    }
}
