import APNSModel
import Testing

@testable import GatewayCore

struct RequestCountsTests {
    private func send(_ count: Int, _ rules: FaultRule..., change: (inout Scenario) -> Void = { _ in }) throws
        -> Running
    {
        var running = try Scenario().with { change(&$0) }.run()
        for rule in rules { _ = try running.world.add(rule, real: 0) }
        for _ in 0..<count { try running.send(Scenario()) }
        return running
    }

    @Test func `requests count by what became of them`() throws {
        var running = try send(5, FaultRule(.reset(code: 7, .before), count: 2))
        try running.send(Scenario().with { $0.head.path = "/3/device/xyz" })
        let counts = running.world.counts
        #expect(counts.accepted == 3)
        #expect(counts.unprocessed == 2)
        #expect(counts.refused == ["BadDeviceToken": 1])
        #expect(counts.unanswered == 0)
        #expect(counts.total == 6)
    }

    @Test(
        arguments: [
            (.silence(.after), 1), (.reset(code: 8, .after), 1), (.disconnect(.after), 1), (.silence(.before), 0),
            (.halfOpen(.after), 1), (.delay(.never), 1), (.lose, 0),
            (.delay(.fixed(5)), 0), (.goAway(GoAwayFault()), 0), (.refuse(.tooManyRequests), 0),
            (.maximumConcurrentStreams(1), 0),
        ] as [(FaultEffect, Int)])
    func `what is accepted and never answered counts as unanswered too`(effect: FaultEffect, unanswered: Int) throws {
        let counts = try send(3, FaultRule(effect, count: 1)).world.counts
        #expect(counts.unanswered == unanswered)
        #expect(counts.total == 3)
    }

    @Test func `a refusal that is not answered is not accepted`() throws {
        var running = try send(0, FaultRule(.silence(.after)))
        try running.send(Scenario().with { $0.head.path = "/3/device/xyz" })
        #expect(running.world.counts.unanswered == 0)
        #expect(running.world.counts.refused == ["BadDeviceToken": 1])
    }

    @Test func `neither a short journal nor an emptied one takes from the counts, and a reset does`() throws {
        var running = try send(9) { $0.settings.retain = 2 }
        running.world.deleteNotifications()
        #expect(running.world.counts.accepted == 9)
        running.world.reset(real: 0)
        #expect(running.world.counts == RequestCounts())
    }

    @Test func `reasons beyond the limit are counted together`() throws {
        var running = try send(0)
        for number in 0..<RequestCounts.maximumReasons + 20 {
            _ = try running.world.add(FaultRule(.refuse(Reason("Reason\(number)", 400)), count: 1), real: 0)
            try running.send(Scenario())
        }
        let refused = running.world.counts.refused
        #expect(refused.count == RequestCounts.maximumReasons + 1)
        #expect(refused[RequestCounts.otherReasons] == 20)
    }
}
