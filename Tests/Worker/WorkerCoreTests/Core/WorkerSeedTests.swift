import TestSeeds
import Testing

@testable import WorkerCore

/// Workers, engine and gateway on virtual time: `APNS_SEED=1 APNS_SEEDS=10000 swift test --filter WorkerSeedTests`.
@Suite struct WorkerSeedTests {
    @Test(arguments: TestSeed.all(1...12))
    func `nothing is lost, and without a hard fault nothing is double`(_ seed: TestSeed) {
        var world = WorkerWorld(seed, hasHardFaults: false)
        #expect(world.run() == nil)
    }

    @Test(arguments: TestSeed.all(1...12))
    func `killed and paused workers lose nothing, and each push has one end`(_ seed: TestSeed) {
        var world = WorkerWorld(seed, hasHardFaults: true)
        #expect(world.run() == nil)
    }
}
