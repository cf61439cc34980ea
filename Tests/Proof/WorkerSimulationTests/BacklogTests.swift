import TestSeeds
import Testing
import WorkerSimulation

/// A small form of `apns-seeds backlog`, whose table is on `docs/sizing.md`.
@Suite struct BacklogTests {
    private static func plan(_ fault: BacklogPlan.Fault, _ seed: TestSeed) -> BacklogPlan {
        var plan = BacklogPlan(fault)
        plan.arrivals = 4
        plan.capacity = 8
        plan.highPercent = 25
        plan.secondsBefore = 30
        plan.outageSeconds = 90
        plan.seed = seed.value
        return plan
    }

    @Test(arguments: TestSeed.all(1...2))
    func `a gateway that could not be reached gets the backlog once, the urgent pushes first`(_ seed: TestSeed) throws {
        var world = BacklogWorld(BacklogTests.plan(.unreachable, seed))
        let report = world.run()
        #expect(report.lost == 0 && report.doubles == 0 && report.left == 0)
        #expect(report.arrivedBeforeRecovery == 480)
        let most = report.rows.map(\.ready).max() ?? 0
        #expect(most > 200, "nearly all of what arrived in 90 s")
        let last = try #require(report.rows.last)
        #expect(last.ready < 30 && last.later == 0)
        // What was in flight when the connections were lost is sent again.
        #expect(report.mostAttempts <= 2)
        #expect(report.attempts <= report.arrived + 20)
        #expect(report.connects <= 2 * 20)
        let drained = try #require(report.drained)
        #expect(drained < 400_000)
        let high = try #require(report.lastHigh)
        let normal = try #require(report.lastNormal)
        #expect(high < normal)
    }

    @Test(arguments: TestSeed.all(1...2))
    func `a gateway that answers 503 gets each push as often as the ladder says`(_ seed: TestSeed) throws {
        var world = BacklogWorld(BacklogTests.plan(.unavailable, seed))
        let report = world.run()
        #expect(report.lost == 0 && report.doubles == 0 && report.left == 0)
        let most = report.rows.map(\.later).max() ?? 0
        #expect(most > 200, "they wait for their next attempts")
        let last = try #require(report.rows.last)
        #expect(last.ready < 30 && last.later == 0)
        // The third attempt comes 150 s after the first one.
        #expect(report.mostAttempts == 3)
        #expect(report.attempts <= report.arrived + 2 * 360 + 20)
        #expect(report.connects == 2)
        let drained = try #require(report.drained)
        #expect((60_000..<400_000).contains(drained))
    }

    @Test func `the same seed gives the same curve`() {
        var plan = BacklogTests.plan(.unreachable, TestSeed(7))
        plan.outageSeconds = 40
        var worlds = [BacklogWorld(plan), BacklogWorld(plan)]
        let first = worlds[0].run()
        let second = worlds[1].run()
        #expect(first == second)
        #expect(first.isGood)
    }
}
