import TestSeeds
import Testing
import WorkerSimulation

/// More seeds: `apns-seeds worker 1 10000`.
@Suite struct WorkerSeedTests {
    @Test(arguments: TestSeed.all(1...12))
    func `nothing is lost, and without a hard fault nothing is double`(_ seed: TestSeed) {
        var world = WorkerWorld(seed: seed.value, hasHardFaults: false)
        #expect(world.run() == nil)
    }

    @Test(arguments: TestSeed.all(1...12))
    func `nothing is lost and nothing double where the engine is slow`(_ seed: TestSeed) {
        var world = WorkerWorld(seed: seed.value, hasHardFaults: false, isEngineSlow: true)
        #expect(world.run() == nil)
    }

    @Test(arguments: TestSeed.all(1...12))
    func `killed and paused workers lose nothing, and each push has one end`(_ seed: TestSeed) {
        var world = WorkerWorld(seed: seed.value, hasHardFaults: true)
        #expect(world.run() == nil)
    }
}
