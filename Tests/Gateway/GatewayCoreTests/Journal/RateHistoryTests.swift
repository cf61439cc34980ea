import Testing

@testable import GatewayCore

struct RateHistoryTests {
    /// A world that got a notification at each of these times of the machine's clock, in seconds.
    func running(retain: Int = 100, at times: [Int64]) throws -> Running {
        var running = try Scenario().with { $0.settings.retain = retain }.run()
        for time in times { try send(Scenario(), to: &running, at: time) }
        return running
    }

    func send(_ scenario: Scenario, to running: inout Running, at time: Int64) throws {
        running.world.moment = time * 1000
        try running.send(scenario)
    }

    /// - Parameter part: How many entries are read at a time.
    func history(
        of world: borrowing World, seconds: Int, at time: Int64, part: UInt64 = 2
    ) -> [RateHistory.Second] {
        var history = RateHistory(seconds: seconds, at: time * 1000)
        var rest = world.journalSequences
        while !rest.isEmpty {
            let first = max(rest.lowerBound, rest.upperBound - min(rest.upperBound, part))
            history.read(world, first..<rest.upperBound)
            rest = rest.lowerBound..<first
        }
        return history.perSecond(of: world.journalSequences)
    }

    @Test func `each notification counts in its second, the newest last, whatever the world's clock says`() throws {
        let world = try running(at: [100, 102, 102, 102, 104]).world
        let seconds = history(of: world, seconds: 5, at: 104)
        #expect(seconds.map(\.accepted) == [1, 0, 3, 0, 1])
        #expect(seconds.allSatisfy { $0.refused == 0 && $0.unprocessed == 0 })
    }

    @Test func `each outcome has its count`() throws {
        var running = try running(at: [100])
        try send(Scenario().with { $0.head.topic = "com.example.other" }, to: &running, at: 100)
        _ = try running.world.add(FaultRule(.silence(.before), count: 1), real: 0)
        try send(Scenario(), to: &running, at: 101)
        #expect(
            history(of: running.world, seconds: 2, at: 101) == [
                RateHistory.Second(accepted: 1, refused: 1), RateHistory.Second(unprocessed: 1),
            ])
    }

    @Test func `broadcasts count and the management of channels does not, as in the totals`() throws {
        var running = try ChannelScenario(.broadcast).run()
        try send(ChannelScenario(.createChannel).scenario, to: &running, at: 100)
        #expect(history(of: running.world, seconds: 2, at: 101).map(\.accepted) == [0, 0])
        try send(ChannelScenario(.broadcast).scenario, to: &running, at: 101)
        #expect(history(of: running.world, seconds: 2, at: 101).map(\.accepted) == [0, 1])
        #expect(running.world.counts.total == 1)
    }

    @Test func `a world without a notification has had none`() throws {
        let world = try running(at: []).world
        #expect(history(of: world, seconds: 3, at: 100) == Array(repeating: RateHistory.Second(), count: 3))
    }

    @Test func `what is older does not count`() throws {
        let world = try running(at: [90, 91, 100]).world
        #expect(history(of: world, seconds: 4, at: 100).map(\.accepted) == [0, 0, 0, 1])
    }

    @Test func `seconds that the journal has overwritten, in part or whole, are left out`() throws {
        let world = try running(retain: 3, at: [97, 98, 98, 99, 100]).world
        #expect(history(of: world, seconds: 10, at: 100).map(\.accepted) == [1, 1])
    }

    @Test func `an emptied journal has no past`() throws {
        var running = try running(at: [98, 99])
        running.world.deleteNotifications()
        #expect(history(of: running.world, seconds: 10, at: 100) == [])
        try send(Scenario(), to: &running, at: 100)
        #expect(history(of: running.world, seconds: 10, at: 102).map(\.accepted) == [0, 0])
    }

    @Test func `a clock that was set back counts as now`() throws {
        let world = try running(at: [200]).world
        #expect(history(of: world, seconds: 2, at: 100).map(\.accepted) == [0, 1])
    }
}
