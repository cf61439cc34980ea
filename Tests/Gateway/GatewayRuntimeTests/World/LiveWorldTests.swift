import APNSModel
import GatewayCore
import GatewayJSON
import Synchronization
import Testing

@testable import GatewayRuntime

/// A world without a gateway around it.
struct LiveWorldTests {
    @Test func `the delegate learns of changes of the clock and of removed rules, after they are done`() throws {
        let delegate = RecordingDelegate()
        let world = try LiveWorld.inMemory(delegate: delegate)
        world.setClock(.manual, to: 1_800_000_000_000)
        _ = delegate.take()
        world.advanceClock(by: 5000)
        #expect(delegate.take() == [.clockChanged(by: 5000, isReset: false)])
        world.setClock(nil, to: 1_800_000_000_000)
        #expect(delegate.take() == [.clockChanged(by: -5000, isReset: false)])
        let rule = try world.add(FaultRule(.lose))
        #expect(delegate.take().isEmpty)
        #expect(world.removeFault(rule.id))
        #expect(delegate.take() == [.faultRulesRemoved(rule.id)])
        #expect(!world.removeFault(rule.id))
        #expect(delegate.take().isEmpty, "nothing was removed")
        world.removeFaults()
        #expect(delegate.take() == [.faultRulesRemoved(nil)])
        world.reset()
        #expect(delegate.take().contains(.clockChanged(by: 0, isReset: true)))
    }

    /// Calls the world back, as a delegate may.
    private final class CallingBack: LiveWorldDelegate {
        let times = Mutex<[Int64]>([])

        func clockChanged(_ change: ClockChange, in world: LiveWorld) {
            let now = world.now()
            times.withLock { $0.append(now) }
        }

        func faultRulesRemoved(_ id: String?, in world: LiveWorld) {}
        func nextDue(in milliseconds: Int64?, of world: LiveWorld) {}
    }

    @Test func `the delegate is called without the lock, and sees the change`() throws {
        let delegate = CallingBack()
        let world = try LiveWorld.inMemory(delegate: delegate)
        world.setClock(.manual, to: 1_800_000_000_000)
        world.advanceClock(by: 1000)
        #expect(delegate.times.withLock { $0 } == [1_800_000_000_000, 1_800_000_001_000])
    }

    @Test func `events are published to subscribers in the order of the decisions`() async throws {
        let world = try LiveWorld.inMemory()
        let subscription = try world.subscribeToEvents {}
        #expect(world.push()?.verdict.isAccepted == true)
        world.deleteNotifications()
        world.endSubscriptions()
        var names: [String] = []
        for await item in subscription.items { if case .event(let event, _, _) = item { names.append(event.name) } }
        #expect(names.first == "notification" && names.last == "journal-emptied", "\(names)")
        #expect(throws: SubscriptionError.tooMany) { try world.subscribeToEvents {} }
    }

    @Test func `a wait is settled by what is judged, and by the end of the world`() async throws {
        let world = try LiveWorld.inMemory()
        var match = NotificationMatch()
        match[.token] = .equals("ab12")
        let counts = Mutex<[Int]>([])
        let settled: @Sendable (JournalExpectation) -> Void = { expectation in
            counts.withLock { $0.append(expectation.matchedCount) }
        }
        let (one, five) = (JournalExpectation(match, .atLeast(1)), JournalExpectation(match, .atLeast(5)))
        let impatient = try await world.wait(for: one, isPatient: false, settled)
        #expect(impatient == nil)
        #expect(counts.withLock { $0 } == [0])
        let first = try await world.wait(for: one, isPatient: true, settled)
        let second = try await world.wait(for: five, isPatient: true, settled)
        #expect(first != nil && second != nil)
        #expect(world.waiterCount == 2)
        _ = world.push()
        #expect(counts.withLock { $0 } == [0, 1])
        world.endSubscriptions()
        #expect(counts.withLock { $0 } == [0, 1, 1])
        let late = try await world.wait(for: five, isPatient: true, settled)
        #expect(late == nil, "a world that has ended lets nobody wait")
        #expect(counts.withLock { $0 } == [0, 1, 1, 1])
    }
}
