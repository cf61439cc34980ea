import APNSModel
import Testing

@testable import GatewayCore

struct JournalExpectationTests {
    func expectation(_ count: ExpectedCount, in running: Running, since: Int64? = nil) -> JournalExpectation {
        var match = NotificationMatch()
        match[.outcome] = .equals("accepted")
        var expectation = JournalExpectation(match, count, since: since)
        expectation.evaluate(running.world)
        return expectation
    }

    func send(_ running: inout Running, _ expectation: inout JournalExpectation, topic: String? = Scenario.topic) throws
    {
        let judgement = try running.send(Scenario().with { $0.head.topic = topic })
        let entry = try #require(running.world.notification(judgement.sequence))
        _ = expectation.evaluate(entry, oldest: running.world.journalSequences.lowerBound)
    }

    @Test func `at least so many is settled as soon as they are there`() throws {
        var running = try Scenario().run()
        var expectation = expectation(.atLeast(2), in: running)
        try send(&running, &expectation)
        try send(&running, &expectation, topic: nil)
        #expect(!expectation.isSettled && !expectation.isMet)
        try send(&running, &expectation)
        #expect(expectation.isSettled && expectation.isMet)
    }

    @Test func `exactly so many is settled when they are there, and broken by one more`() throws {
        var running = try Scenario().run()
        var expectation = expectation(.exactly(1), in: running)
        #expect(!expectation.isSettled)
        try send(&running, &expectation)
        #expect(expectation.isSettled && expectation.isMet)
        try send(&running, &expectation)
        #expect(expectation.isSettled && !expectation.isMet)
    }

    @Test(arguments: [ExpectedCount.exactly(0), .atMost(0)])
    func `nothing is watched for to the end, and settled when it is broken`(count: ExpectedCount) throws {
        var running = try Scenario().run()
        var expectation = expectation(count, in: running)
        #expect(!expectation.isSettled && expectation.isMet)
        try send(&running, &expectation)
        #expect(expectation.isSettled && !expectation.isMet)
    }

    @Test func `what the journal holds already counts, from a time on if one is given`() throws {
        var running = try Scenario().run()
        _ = try running.send(Scenario())
        #expect(expectation(.atLeast(1), in: running).isSettled)
        #expect(!expectation(.atLeast(1), in: running, since: Scenario.start + 1).isSettled)
    }

    @Test func `the newest matches that the journal still has are named, the newest first`() throws {
        var running = try Scenario().with { $0.settings.retain = 7 }.run()
        var expectation = expectation(.atLeast(1), in: running)
        for number in 0..<9 { try send(&running, &expectation, topic: number == 7 ? nil : Scenario.topic) }
        let wanted = ([8, 6, 5, 4, 3] as [UInt64]).compactMap { running.world.notification($0)?.uniqueID }
        let newest = expectation.newest(in: running.world)
        #expect(newest == wanted && newest.count == 5)
        running.world.deleteNotifications()
        let rest = expectation.newest(in: running.world)
        #expect(rest.isEmpty)
    }

    @Test func `an entry counts once, however often it is looked at`() throws {
        var running = try Scenario().run()
        var expectation = expectation(.atLeast(2), in: running)
        try send(&running, &expectation)
        let entry = try #require(running.world.notification(0))
        let isCounted = expectation.evaluate(entry, oldest: 0)
        #expect(!isCounted)
        #expect(expectation.matchedCount == 1)
    }

    @Test func `a long wait counts what the journal has given up, and keeps nothing more about it`() throws {
        var running = try Scenario().with { $0.settings.retain = 100 }.run()
        var expectation = expectation(.atLeast(1_000_000_000), in: running)
        for _ in 0..<1000 { try send(&running, &expectation) }
        #expect(running.world.journalCount == 100)
        #expect(expectation.matchedCount == 1000)
        // A bit for each of the 100, from one whole word to another.
        #expect(expectation.heldBytes <= 3 * 8)
        let newest = try #require(running.world.notification(999))
        let isCounted = expectation.evaluate(newest, oldest: running.world.journalSequences.lowerBound)
        #expect(!isCounted)
        running.world.deleteNotifications()
        expectation.evaluate(running.world)
        #expect(expectation.matchedCount == 0 && expectation.heldBytes == 0)
    }
}
