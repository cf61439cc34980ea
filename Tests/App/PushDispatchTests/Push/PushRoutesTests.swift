import Foundation
import PushDispatch
import Testing

struct PushRoutesTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let pending = MemoryPendingStore()

    private struct Chat: Decodable, Sendable {
        var room: String
        var count: Int
    }

    private func dispatcher(_ routes: [PushRoute], userKey: String? = nil) -> PushDispatcher {
        var policy = DispatchPolicy()
        policy.userKey = userKey
        return PushDispatcher(routes: PushRoutes(routes), policy: policy, pending: pending, clock: clock) { [log] in
            log.add($0)
        }
    }

    private func push(_ json: String) -> Push { Push(json: Data(json.utf8)) }

    @Test func `each type goes to its own handler, as its own type`() async {
        let (rooms, continuation) = AsyncStream.makeStream(of: String.self)
        let accounts = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        let dispatcher = dispatcher([
            PushRoute(.accountUpdate, handler: accounts),
            PushRoute("CHAT", as: Chat.self) { chat, _ in
                continuation.yield("\(chat.room) \(chat.count)")
                return HandlerReport(changed: chat.count)
            },
        ])
        let chat = push(#"{"aps":{"alert":"x"},"type":"CHAT","room":"green","count":2,"other":[]}"#)
        #expect(await dispatcher.handle(chat, from: .foreground) == .newData)
        #expect(await dispatcher.handle(.account(), from: .background) == .newData)
        #expect(await rooms.first { _ in true } == "green 2")
        #expect(accounts.hints.map(\.records) == [[.test(1)]])
        #expect(log.events.contains(.startedMessage(type: "CHAT")))
    }

    @Test(arguments: [
        (#"{"type":"CHAT","count":1}"#, PushIssue.Code.missingKey, "/room"),
        (#"{"type":"CHAT","room":"secret","count":"secret"}"#, .wrongKind, "/count"),
        (#"{"type":"CHAT","room":null,"count":1}"#, .wrongKind, "/room"),
    ])
    func `a message that cannot be read is reported at its place without its values`(
        json: String, code: PushIssue.Code, pointer: String
    ) async {
        let dispatcher = dispatcher([PushRoute("CHAT", as: Chat.self) { _, _ in throw TestError() }])
        #expect(await dispatcher.handle(push(json), from: .tap) == .noData)
        let issues = log.events.compactMap { if case .issue(let issue) = $0 { issue } else { nil } }
        #expect(issues.map(\.code) == [code] && issues.map(\.pointer) == [pointer])
        #expect(!log.events.contains { "\($0)".contains("secret") })
        #expect(log.events.contains(.ignored(.unreadable)))
    }

    @Test func `what a message is about is kept when its handler does not end`() async {
        let route = PushRoute(
            "CASE", decode: { $0["caseId"]?.string.flatMap { RecordID($0) } ?? .test(9) },
            hint: { Hint(type: "CASE", object: "Case", records: [$0]) }
        ) { _, _ in throw TestError() }
        let dispatcher = dispatcher([route])
        #expect(await dispatcher.handle(push(#"{"type":"CASE"}"#), from: .background) == .failed)
        #expect(await pending.pending(of: "Case", after: nil).map(\.record) == [.test(9)])
    }

    @Test func `an error of a custom decoder is reported by its type, without its message`() async {
        struct Secret: Error { var text = "secret" }
        let route = PushRoute("X", decode: { _ -> Int in throw Secret() }) { _, _ in HandlerReport(changed: 1) }
        #expect(await dispatcher([route]).handle(push(#"{"type":"X"}"#), from: .background) == .noData)
        #expect(log.events.contains(.issue(PushIssue(.unreadable, at: "", "the reader threw Secret"))))
    }

    @Test func `duplicates of a message are recognised like those of a hint`() async {
        let handler = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        let route = PushRoute("X", decode: { _ in 1 }) { _, context in
            try await handler.handle(Hint(type: "X", object: "", records: []), context)
        }
        let dispatcher = dispatcher([route])
        #expect(await dispatcher.handle(push(#"{"type":"X","a":1}"#), from: .background) == .newData)
        #expect(await dispatcher.handle(push(#"{"type":"X","a":1}"#), from: .foreground) == .noData)
        #expect(handler.hints.count == 1)
    }

    @Test func `an app registers a type with object and fields`() {
        let type = HintType("CASE_UPDATE", content: .one(object: "Case", key: "caseId"), fields: ["Subject"])
        var types = HintTypes.standard
        types.register(type)
        #expect(types.all.map(\.name) == ["ACCOUNT_UPDATE", "CASE_UPDATE", "INTERACTION", "TEST"])
        #expect(types["CASE_UPDATE"]?.content.object == "Case" && types["TEST"]?.content.object == nil)
    }

    // MARK: Users

    private static let mine = "005xx000001X8Uz"

    private func forUser(_ user: String) -> Push {
        push(#"{"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2","userId":"\#(user)"}"#)
    }

    @Test func `a push for another user is ignored, one that names no user is handled`() async throws {
        let handler = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        let dispatcher = dispatcher([PushRoute(.accountUpdate, handler: handler)], userKey: "userId")
        try await dispatcher.userChanged(to: .user(Self.mine))
        #expect(await dispatcher.handle(forUser("005xx000001X8Uy"), from: .background) == .noData)
        #expect(handler.hints.isEmpty && log.events.contains(.ignored(.otherUser)))
        // The other spelling of the same id.
        let long = try #require(RecordID(Self.mine)).description
        #expect(await dispatcher.handle(forUser(long), from: .background) == .newData)
        #expect(await dispatcher.handle(.account(), from: .background) == .newData)
    }

    @Test func `after a log-out every push is ignored, and the pending hints are removed`() async throws {
        let handler = ScriptedHandler { _, _, _ in throw TestError() }
        let dispatcher = dispatcher([PushRoute(.accountUpdate, handler: handler)])
        #expect(await dispatcher.handle(.account(), from: .background) == .failed)
        #expect(await pending.list.count == 1)
        try await dispatcher.userChanged(to: .loggedOut)
        #expect(await pending.list.count == 0)
        #expect(await dispatcher.handle(.account(2), from: .background) == .noData)
        #expect(handler.hints.count == 1)
    }

    @Test func `a push that is being handled when its user logs out is answered, and nothing of it is kept`()
        async throws
    {
        let end = Signal()
        let handler = ScriptedHandler { _, _, _ in
            await end.wait()
            return HandlerReport(changed: 0, unfinished: [.test(1)])
        }
        let dispatcher = dispatcher([PushRoute(.accountUpdate, handler: handler)])
        try await dispatcher.userChanged(to: .user("a"))
        async let result = dispatcher.handle(.account(), from: .background)
        await log.wait(for: .started(object: "Account", records: [.test(1)]))
        try await dispatcher.userChanged(to: .user("b"))
        #expect(await result == .noData)
        await end.give()
        await log.wait(for: .handlerLate)
        #expect(await pending.list.count == 0)
    }
}
