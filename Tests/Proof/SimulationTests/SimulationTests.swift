import Synchronization
import Testing

@testable import Simulation

struct SimulationTests {
    @Test func `500 seeds violate no invariant`() async throws {
        let found = Mutex<[String]>([])
        try await Simulation.run(seeds: 1..<501, threads: 2) { report in
            if let violation = report.violations.first {
                found.withLock { $0.append("apns simulate --seed \(report.seed) --trace: \(violation)") }
            }
            return true
        }
        #expect(found.withLock { $0 }.isEmpty)
    }

    @Test func `the same seed gives the same trace`() async throws {
        for seed in UInt64(1)...25 {
            let first = try await Simulation.run(seed: seed, recordsTrace: true)
            let second = try await Simulation.run(seed: seed, recordsTrace: true)
            #expect(first.trace == second.trace, "seed \(seed)")
            #expect(first.jobs == second.jobs)
            #expect(first.counts == second.counts)
        }
    }

    @Test func `every kind of event happens in some seed`() async throws {
        let sum = Mutex<[SimulationReport.Kind: Int]>([:])
        try await Simulation.run(seeds: 1..<121, threads: 2) { report in
            sum.withLock { $0.merge(report.counts, uniquingKeysWith: +) }
            return true
        }
        let counts = sum.withLock { $0 }
        for kind in SimulationReport.Kind.allCases { #expect(counts[kind, default: 0] > 0, "\(kind.rawValue)") }
    }
}
