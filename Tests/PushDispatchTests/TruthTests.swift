import PushDispatch
import Testing

/// What a handler tells on the way and at its end, and what a change of user does to it.
struct TruthTests {
    private let log = EventLog()
    private let clock = ManualClock()

    private func dispatcher(_ handler: any HintHandler, pending: any PendingStore) -> PushDispatcher {
        PushDispatcher(handler: handler, pending: pending, clock: clock) { [log] in log.add($0) }
    }

    @Test func `what was told as stored on the way is new data, whatever the handler adds up at its end`() async {
        let handler = ScriptedHandler { _, _, context in
            await context.done([.test(1)], changed: 1)
            return HandlerReport(changed: 0)
        }
        let dispatcher = dispatcher(handler, pending: MemoryPendingStore())
        #expect(await dispatcher.handle(.account(), from: .background) == .newData)
    }

    @Test func `a push whose user goes while a full store keeps it is answered at once`() async throws {
        let begun = Signal()
        let end = Signal()
        let store = FullPendingStore(begun: begun, end: end)
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: store)
        try await dispatcher.userChanged(to: .user("a"))
        async let result = dispatcher.handle(.account(), from: .background)
        await begun.wait()
        try await dispatcher.userChanged(to: .user("b"))
        await end.give()
        #expect(await result == .failed)
        #expect(log.events.last == .finished(.failed, milliseconds: 0))
    }

    @Test func `the same user in the other spelling of the id is the same user`() async throws {
        let pending = MemoryPendingStore()
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: pending)
        let user = RecordID.test(7)
        try await dispatcher.userChanged(to: .user(String(user.description.prefix(15))))
        #expect(await dispatcher.handle(.account(), from: .background) == .failed)
        try await dispatcher.userChanged(to: .user(user.description))
        #expect(await pending.list.count == 1)
        try await dispatcher.userChanged(to: .user(RecordID.test(8).description))
        #expect(await pending.list.count == 0)
    }

    @Test func `a process that wakes up long after both limits still keeps what is unfinished`() async {
        let end = Signal()
        let pending = MemoryPendingStore()
        let handler = ScriptedHandler { _, _, _ in
            await end.wait()
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler, pending: pending)
        async let result = dispatcher.handle(.account(), from: .background)
        await clock.sleeper(until: 24_000)
        clock.advance(to: 3_600_000)
        #expect(await result == .failed)
        let count = await pending.list.count
        #expect(count == 1 || log.events.contains(.storeLate))
        await end.give()
    }
}

/// Is full, and takes its time to say so.
private struct FullPendingStore: PendingStore {
    let begun: Signal
    let end: Signal

    func keep(_ hint: Hint) async -> PendingMark? {
        await begun.give()
        await end.wait()
        return nil
    }
    func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] { [] }
    func forget(_ records: [PendingRecord], of object: String) {}
    func forgetAll() {}
}
