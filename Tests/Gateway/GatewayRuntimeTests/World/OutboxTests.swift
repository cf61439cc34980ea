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
        let isScheduled = outbox.schedule()
        #expect(isScheduled)
        for number in 1...3 as ClosedRange<UInt64> { outbox.add(Self.publication(number)) }
        let isScheduled2 = outbox.schedule()
        #expect(!isScheduled2, "the write that is asked for takes this as well")
        let batch = outbox.take()
        #expect(Self.sequences(batch) == [1, 2, 3])
        let isScheduled3 = outbox.schedule()
        #expect(isScheduled3, "the write has begun, so that it does not take what comes now")
        outbox.add(Self.publication(4))
        let batch2 = outbox.take()
        #expect(Self.sequences(batch2) == [4])
        let batch3 = outbox.take()
        #expect(Self.sequences(batch3).isEmpty)
    }

    @Test func `callbacks go with the write that stores what was decided before`() {
        var outbox = Outbox()
        let results = Mutex<[Bool]>([])
        let isWaiting = outbox.whenStored { isStored in results.withLock { $0.append(isStored) } }
        #expect(isWaiting)
        let first = outbox.take()
        #expect(first.callbacks.count == 1)
        let batch = outbox.take()
        #expect(batch.callbacks.isEmpty)
        for callback in first.callbacks { callback(true) }
        #expect(results.withLock { $0 } == [true])
    }

    @Test func `a closed one asks for no write and lets nobody wait`() {
        var outbox = Outbox()
        outbox.close()
        let isScheduled = outbox.schedule()
        #expect(!isScheduled)
        let isWaiting = outbox.whenStored { _ in Issue.record("nothing is stored any more") }
        #expect(!isWaiting)
        let batch = outbox.take()
        #expect(batch.callbacks.isEmpty)
    }

    @Test func `the requests of a write that failed, and of the next one, count as refused`() {
        var outbox = Outbox()
        for _ in 1...2 { outbox.countRequest() }
        let batch = outbox.take()
        #expect(batch.requests == 2)
        // It comes while the others are written.
        outbox.countRequest()
        let isNew = outbox.writeFailed(refusing: batch.requests)
        #expect(isNew)
        let undone = outbox.reloaded()
        #expect(undone.isEmpty)
        outbox.countRefusals()
        let refused = outbox.recovered()
        #expect(refused == 4)
    }

    @Test func `a failed write counts what is refused until the store can be written again`() {
        var outbox = Outbox()
        let refused = outbox.recovered()
        #expect(refused == nil)
        outbox.countRefusals()
        #expect(outbox.failure == nil, "nothing is refused without a failure")
        let isNew = outbox.writeFailed()
        #expect(isNew)
        outbox.countRefusals()
        let isNew2 = outbox.writeFailed()
        #expect(!isNew2, "the failure is known")
        outbox.countRefusals()
        #expect(outbox.failure == Outbox.Failure(refused: 2, isAhead: true))
        let refused2 = outbox.recovered()
        #expect(refused2 == nil, "the world is ahead of the store")
        #expect(outbox.failure != nil)
        outbox.add(Self.publication(1))
        let isWaiting = outbox.whenStored { _ in }
        #expect(isWaiting)
        let undone = outbox.reloaded()
        #expect(undone.count == 1)
        let batch = outbox.take()
        #expect(Self.sequences(batch).isEmpty, "what was undone is not published")
        let refused3 = outbox.recovered()
        #expect(refused3 == 2)
        #expect(outbox.failure == nil)
        let isNew3 = outbox.writeFailed()
        #expect(isNew3, "a later failure is a new one")
        #expect(outbox.failure?.refused == 0)
    }
}
