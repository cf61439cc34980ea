import SimulationSQLite
import Synchronization
import TestSeeds
import Testing

@testable import Simulation

struct SimulationTests {
    /// Not an argument for each seed, because each run has a thread of its own.
    @Test func `no seed violates an invariant`() async throws {
        let found = Mutex<[String]>([])
        try await Simulation.run(seeds: TestSeed.all(1...500).map(\.value), threads: 2, files: .sqlite()) { report in
            if let violation = report.violations.first {
                found.withLock { $0.append("apns simulate --seed \(report.seed) --trace: \(violation)") }
            }
            return true
        }
        #expect(found.withLock { $0 }.isEmpty)
    }

    @Test func `the same seed gives the same trace`() async throws {
        for seed in TestSeed.all(1...25) {
            let first = try await Simulation.run(seed: seed.value, recordsTrace: true, files: .sqlite())
            let second = try await Simulation.run(seed: seed.value, recordsTrace: true, files: .sqlite())
            // Two whole traces would fill the screen.
            let difference = zip(first.trace, second.trace).first { $0 != $1 }.map { "\($0.0) | \($0.1)" }
            #expect(difference == nil, "\(seed)")
            #expect(first.trace.count == second.trace.count, "\(seed)")
            #expect(first.jobs == second.jobs)
            #expect(first.counts == second.counts)
        }
    }

    /// With fixed seeds: a few others need not have every kind.
    @Test func `every kind of event happens in some seed`() async throws {
        let sum = Mutex<[SimulationReport.Kind: Int]>([:])
        try await Simulation.run(seeds: 1..<121, threads: 2, files: .sqlite()) { report in
            sum.withLock { $0.merge(report.counts, uniquingKeysWith: +) }
            return true
        }
        let counts = sum.withLock { $0 }
        for kind in SimulationReport.Kind.allCases { #expect(counts[kind, default: 0] > 0, "\(kind.rawValue)") }
    }
}
