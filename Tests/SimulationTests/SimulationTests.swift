import Synchronization
import Testing

@testable import Simulation

struct SimulationTests {
    @Test func `the same seed gives the same story`() async throws {
        for seed in UInt64(1)...20 {
            let first = try await Simulation.run(seed: seed, isTold: true)
            let second = try await Simulation.run(seed: seed, isTold: true)
            #expect(first.story == second.story, "seed \(seed)")
            #expect(first.jobs == second.jobs)
        }
    }
}
