import GatewayCore
import GatewayJSON
import Synchronization
import Testing

@testable import GatewayRuntime

struct OutboxTests {
    private static func publication(_ sequence: UInt64) -> Outbox.Publication {
        Outbox.Publication(item: .changedEntry(sequence), lastSubscriber: sequence, lastWaiter: 0)
    }

    private static func sequences(_ batch: Outbox.Batch) -> [UInt64] { batch.publications.map(\.lastSubscriber) }

    @Test func `one write is asked for at a time, and takes everything in order`() {
        var outbox = Outbox()
        #expect(outbox.schedule())
        for number in 1...3 as ClosedRange<UInt64> { outbox.add(Self.publication(number)) }
        #expect(!outbox.schedule(), "the write that is asked for takes this as well")
        #expect(Self.sequences(outbox.take()) == [1, 2, 3])
        #expect(outbox.schedule(), "the write has begun, so that it does not take what comes now")
        outbox.add(Self.publication(4))
        #expect(Self.sequences(outbox.take()) == [4])
        #expect(Self.sequences(outbox.take()).isEmpty)
    }

    @Test func `callbacks go with the write that stores what was decided before`() {
        var outbox = Outbox()
        let results = Mutex<[Bool]>([])
        #expect(outbox.whenStored { isStored in results.withLock { $0.append(isStored) } })
        let first = outbox.take()
        #expect(first.callbacks.count == 1)
        #expect(outbox.take().callbacks.isEmpty)
        for callback in first.callbacks { callback(true) }
        #expect(results.withLock { $0 } == [true])
    }

    @Test func `a closed one asks for no write and lets nobody wait`() {
        var outbox = Outbox()
        outbox.close()
        #expect(!outbox.schedule())
        #expect(!outbox.whenStored { _ in Issue.record("nothing is stored any more") })
        #expect(outbox.take().callbacks.isEmpty)
    }

    @Test func `a failed write counts what is refused until the store can be written again`() {
        var outbox = Outbox()
        #expect(outbox.recovered() == nil)
        outbox.countRefusal()
        #expect(outbox.failure == nil, "nothing is refused without a failure")
        #expect(outbox.writeFailed())
        outbox.countRefusal()
        #expect(!outbox.writeFailed(), "the failure is known")
        outbox.countRefusal()
        #expect(outbox.failure == Outbox.Failure(refused: 2, isAhead: true))
        #expect(outbox.recovered() == nil, "the world is ahead of the store")
        #expect(outbox.failure != nil)
        outbox.add(Self.publication(1))
        #expect(outbox.whenStored { _ in })
        #expect(outbox.reloaded().count == 1)
        #expect(Self.sequences(outbox.take()).isEmpty, "what was undone is not published")
        #expect(outbox.recovered() == 2)
        #expect(outbox.failure == nil)
        #expect(outbox.writeFailed(), "a later failure is a new one")
        #expect(outbox.failure?.refused == 0)
    }
}
