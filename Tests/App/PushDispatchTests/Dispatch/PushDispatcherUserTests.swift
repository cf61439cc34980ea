import PushDispatch
import Testing

/// A change of user, and what a slow or failing pending store does to it.
struct PushDispatcherUserTests {
    private let log = EventLog()
    private let clock = ManualClock()

    private func dispatcher(_ handler: any HintHandler, pending: any PendingStore) -> PushDispatcher {
        PushDispatcher(handler: handler, pending: pending, clock: clock) { [log] in log.add($0) }
    }

    @Test func `a push whose user logs out while a full store keeps it is answered`() async throws {
        let begun = Signal()
        let end = Signal()
        let store = FullPendingStore(begun: begun, end: end)
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: store)
        try await dispatcher.userChanged(to: .user("a"))
        async let result = dispatcher.handle(.account(), from: .background)
        await begun.wait()
        async let change: Void = dispatcher.userChanged(to: .user("b"))
        // From here on pushes for the previous user are ignored.
        while await dispatcher.user != .user("b") { await Task.yield() }
        await end.give()
        try await change
        #expect(await result == .failed)
        #expect(log.events.last == .finished(.failed, milliseconds: 0))
    }

    @Test func `a repeated change to the same user keeps the hints that arrived meanwhile`() async throws {
        let begun = Signal()
        let end = Signal()
        let store = SlowPendingStore(begun: begun, end: end)
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: store)
        try await dispatcher.userChanged(to: .user("a"))
        async let change: Void = dispatcher.userChanged(to: .user("b"))
        await begun.wait()
        async let result = dispatcher.handle(.account(), from: .background)
        for _ in 0..<50 { await Task.yield() }
        async let again: Void = dispatcher.userChanged(to: .user("b"))
        for _ in 0..<50 { await Task.yield() }
        await end.give()
        try await change
        try await again
        #expect(await result == .failed)
        #expect(await store.list.list.count == 1)
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

    @Test(arguments: [PushUser.loggedOut, .user("005B")])
    func `the push that starts a process is handled for the remembered user`(user: PushUser) async {
        var policy = DispatchPolicy()
        policy.userKey = "userId"
        let handler = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        let dispatcher = PushDispatcher(
            policy: policy, user: user, handler: handler, pending: MemoryPendingStore(), clock: clock)
        var push = #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","userId":"005A","accountId":"ID"}"#
        push.replace("ID", with: "\(RecordID.test(1))")
        #expect(await dispatcher.handle(Push(bytes: Array(push.utf8)), from: .background) == .noData)
        #expect(handler.hints.isEmpty)
    }

    @Test func `hints of a previous user that could not be removed are removed when the app repeats the change`()
        async throws
    {
        let pending = StubbornPendingStore()
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: pending)
        try await dispatcher.userChanged(to: .user("a"))
        #expect(await dispatcher.handle(.account(), from: .background) == .failed)
        await #expect(throws: TestError.self) { try await dispatcher.userChanged(to: .user("b")) }
        #expect(await pending.list.list.count == 1)
        try await dispatcher.userChanged(to: .user("b"))
        #expect(await pending.list.list.count == 0)
        #expect(await dispatcher.handle(.account(), from: .background) == .failed)
        try await dispatcher.userChanged(to: .user("b"))
        #expect(await pending.list.list.count == 1)
    }
}

/// A full store that answers when `end` is given.
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

/// A store that forgets when `end` is given.
private struct SlowPendingStore: PendingStore {
    let list = MemoryPendingStore()
    let begun: Signal
    let end: Signal

    func keep(_ hint: Hint) async -> PendingMark? { await list.keep(hint) }
    func pending(of object: String, after mark: PendingMark?) async -> [PendingRecord] {
        await list.pending(of: object, after: mark)
    }
    func forget(_ records: [PendingRecord], of object: String) async { await list.forget(records, of: object) }
    func forgetAll() async {
        await begun.give()
        await end.wait()
        await list.forgetAll()
    }
}

/// A store that fails to forget the first time.
private actor StubbornPendingStore: PendingStore {
    let list = MemoryPendingStore()
    private var isAsked = false

    func keep(_ hint: Hint) async -> PendingMark? { await list.keep(hint) }
    func pending(of object: String, after mark: PendingMark?) async -> [PendingRecord] {
        await list.pending(of: object, after: mark)
    }
    func forget(_ records: [PendingRecord], of object: String) async { await list.forget(records, of: object) }
    func forgetAll() async throws {
        guard isAsked else {
            isAsked = true
            throw TestError()
        }
        await list.forgetAll()
    }
}
