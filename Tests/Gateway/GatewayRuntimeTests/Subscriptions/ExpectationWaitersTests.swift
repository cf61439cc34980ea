import GatewayConfiguration
import GatewayCore
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import GatewayRuntime

@Suite(.timeLimit(.minutes(4)))
struct ExpectationWaitersTests {
    private let world: LiveWorld

    init() throws { world = try LiveWorld.inMemory() }

    private static func expectation(token: String = "ab12", life: String? = nil) -> JournalExpectation {
        var match = NotificationMatch()
        match[.token] = .equals(token)
        if let life { match[.life] = .equals(life) }
        return JournalExpectation(match, .atLeast(1))
    }

    private static func run(_ actions: [@Sendable () -> Void]) { for action in actions { action() } }

    @Test func `a new entry settles those that it matches and that came before it`() throws {
        var waiters = ExpectationWaiters()
        let (settled, others) = (Counter(), Counter())
        _ = try waiters.add(Self.expectation()) { expectation in
            #expect(expectation.isMet && expectation.matchedCount == 1)
            settled.add()
        }
        let last = try waiters.add(Self.expectation(token: "ff00")) { _ in others.add() }
        _ = try waiters.add(Self.expectation()) { _ in others.add() }
        let entry = try #require(world.push())
        Self.run(waiters.added(entry, oldest: 0, upTo: last))
        #expect(settled.count == 1 && others.count == 0)
        #expect(waiters.count == 2)
        Self.run(waiters.added(entry, oldest: 0, upTo: last))
        #expect(settled.count == 1, "it is settled once")
    }

    @Test func `a changed entry is only shown to those that wait for its life`() throws {
        var waiters = ExpectationWaiters()
        let (settled, others) = (Counter(), Counter())
        _ = try waiters.add(Self.expectation()) { _ in others.add() }
        #expect(!waiters.needsLife)
        let id = try waiters.add(Self.expectation(life: "accepted")) { _ in settled.add() }
        #expect(waiters.needsLife)
        let entry = try #require(world.push())
        #expect(entry.life.first?.stage == .accepted)
        Self.run(waiters.changed(entry, oldest: 0, upTo: id))
        #expect(settled.count == 1 && others.count == 0)
        #expect(waiters.needsLife, "it ends with the last one that waits")
        Self.run(waiters.added(entry, oldest: 0, upTo: id))
        #expect(others.count == 1 && waiters.isEmpty && !waiters.needsLife)
    }

    @Test func `a wait ends with what it has seen`() throws {
        var waiters = ExpectationWaiters()
        let settled = Counter()
        let id = try waiters.add(Self.expectation()) { expectation in
            #expect(!expectation.isMet)
            settled.add()
        }
        let settlement = waiters.settle(id)
        let settle = try #require(settlement)
        settle()
        #expect(settled.count == 1)
        let settlement2 = waiters.settle(id)
        #expect(settlement2 == nil)
    }

    @Test func `an emptied journal takes back what matched`() throws {
        var waiters = ExpectationWaiters()
        var match = NotificationMatch()
        match[.token] = .equals("ab12")
        let met = Mutex<Int?>(nil)
        let id = try waiters.add(JournalExpectation(match, .atLeast(2))) { expectation in
            met.withLock { $0 = expectation.matchedCount }
        }
        let entry = try #require(world.push())
        let settled = waiters.added(entry, oldest: 0, upTo: id)
        #expect(settled.isEmpty)
        world.deleteNotifications()
        world.withState { waiters.reevaluate($0.world) }
        waiters.settle(id)?()
        #expect(met.withLock { $0 } == 0)
    }

    @Test func `a client that waits starts again with the journal of a restored world`() async throws {
        let count = 2 * Int(JournalParts.maximum) + 10
        for _ in 0..<count { _ = try #require(world.push()) }
        let full = world.snapshot()
        world.deleteNotifications()
        var match = NotificationMatch()
        match[.token] = .equals("ab12")
        let settled = Mutex<[Int]>([])
        let expectation = JournalExpectation(match, .atLeast(count))
        let id = try await world.wait(for: expectation, isPatient: true) { expectation in
            settled.withLock { $0.append(expectation.matchedCount) }
        }
        #expect(id != nil)
        _ = try #require(world.push())
        world.restore(full)
        #expect(settled.withLock { $0 } == [count])
        #expect(world.waiterCount == 0)
    }

    /// Has the world keep so many notifications that reading them takes several parts.
    ///
    /// - Returns: How many.
    private func fillJournal() throws -> Int {
        let count = 2 * Int(JournalParts.maximum) + 10
        for _ in 0..<count { _ = try #require(world.push()) }
        return count
    }

    private var eventLoop: any EventLoop { MultiThreadedEventLoopGroup.singleton.any() }

    @Test func `the time of a client passes while the journal is read, and its answer counts the whole journal`()
        async throws
    {
        let count = try fillJournal()
        let answer = try await world.verify(
            JournalExpectation(NotificationMatch(), .atLeast(count + 1)), within: 1, on: eventLoop,
            isDisconnected: {
                // Before the first part, until the timer has ended the patience.
                while !Task.isCancelled, world.withState({ $0.waiters.isPatient($0.waiters.lastID) }) {}
                return false
            })
        #expect(!Task.isCancelled)
        #expect(!answer.isSatisfied && answer.matched == count)
    }

    @Test func `a client that abandons its request while the journal is read gets the count of the whole journal`()
        async throws
    {
        let count = try fillJournal()
        for isMet in [false, true] {
            let stop = Mutex<(@Sendable () -> Void)?>(nil)
            let answer = try await world.verify(
                JournalExpectation(NotificationMatch(), .atLeast(isMet ? count : count + 1)), within: 300_000,
                on: eventLoop,
                isDisconnected: {
                    let abandon = stop.withLock { stop in
                        defer { stop = nil }
                        return stop
                    }
                    abandon?()
                    return false
                }, whenAbandoned: { abandon in stop.withLock { $0 = abandon } })
            #expect(answer.isSatisfied == isMet && answer.matched == count)
            #expect(answer.newest.isEmpty != isMet, "entries are shown where the journal settled it")
            #expect(world.waiterCount == 0)
        }
    }

    @Test(arguments: [nil, 300_000] as [Int64?])
    func `a client that disconnects while the journal is read ends the reading`(within: Int64?) async throws {
        let count = try fillJournal()
        let looks = Mutex(0)
        let answer = try await world.verify(
            JournalExpectation(NotificationMatch(), .atLeast(count + 1)), within: within, on: eventLoop,
            isDisconnected: {
                looks.withLock { looks -> Bool in
                    looks += 1
                    return looks > 1
                }
            })
        #expect(answer.matched > 0 && answer.matched < count)
        #expect(world.waiterCount == 0)
    }

    @Test func `a client that starts again while it reads is settled when both readings have ended`() throws {
        var waiters = ExpectationWaiters()
        let settled = Counter()
        let id = try waiters.add(Self.expectation(), isReading: true) { _ in settled.add() }
        let again = waiters.startAgain()
        #expect(again == [id])
        _ = try #require(world.push())
        world.withState { waiters.read($0.world, 0..<1, for: id) }
        let first = waiters.endReading(id, isPatient: true)
        #expect(first == nil)
        let second = waiters.endReading(id, isPatient: true)
        let settle = try #require(second)
        settle()
        #expect(settled.count == 1 && waiters.isEmpty)
    }

    @Test func `a client without time, or whose time ends, gets no answer from a half-read journal`() throws {
        for endsByTimer in [false, true] {
            var waiters = ExpectationWaiters()
            let settled = Counter()
            let id = try waiters.add(Self.expectation(), isReading: true) { _ in settled.add() }
            _ = waiters.startAgain()
            if endsByTimer {
                let early = waiters.endPatience(id)
                #expect(early == nil)
            }
            let first = waiters.endReading(id, isPatient: endsByTimer)
            #expect(first == nil && waiters.isWaiting(id))
            let last = waiters.endReading(id, isPatient: true)
            let settle = try #require(last)
            settle()
            #expect(settled.count == 1 && waiters.isEmpty)
        }
    }

    @Test func `there are no more than allowed, and none after the end`() throws {
        var waiters = ExpectationWaiters()
        let settled = Counter()
        for _ in 0..<SubscriberLimits.maximumSubscribers {
            _ = try waiters.add(Self.expectation()) { _ in settled.add() }
        }
        #expect(throws: SubscriptionError.tooMany) { try waiters.checkCapacity() }
        #expect(throws: SubscriptionError.tooMany) { try waiters.add(Self.expectation()) { _ in } }
        Self.run(waiters.close())
        #expect(settled.count == SubscriberLimits.maximumSubscribers)
        #expect(waiters.isEmpty && waiters.isClosed)
        #expect(throws: SubscriptionError.tooMany) { try waiters.add(Self.expectation()) { _ in } }
    }
}
