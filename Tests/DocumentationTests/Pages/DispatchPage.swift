import PushDispatch
import PushDispatchTesting
import Testing

private actor Rooms {
    private(set) var refreshed: [String] = []

    func refresh(_ room: String) { refreshed.append(room) }
}

/// Reports every record as changed.
struct StoringHandler: HintHandler {
    func handle(_ hint: Hint, _ context: HandlerContext) -> HandlerReport { HandlerReport(changed: hint.records.count) }
}

@Test func `an app registers a type that names records, and one with its handler`() async throws {
    let sync = StoringHandler()
    let pending = MemoryPendingStore()
    let rooms = Rooms()

    var types = HintTypes.standard
    types.register(HintType("CASE_UPDATE", content: .one(object: "Case", key: "caseId"), fields: ["Subject"]))

    struct Chat: Decodable, Sendable { var room: String }

    var routes = PushRoutes(types, handler: sync)
    routes.register(
        PushRoute("CHAT", as: Chat.self) { chat, context in
            await rooms.refresh(chat.room)
            return HandlerReport(changed: 1)
        })
    let dispatcher = PushDispatcher(routes: routes, pending: pending)

    let chat = Push(["aps": ["content-available": 1], "type": "CHAT", "room": "tea"])
    #expect(await dispatcher.handle(chat, from: .background) == .newData)
    #expect(await rooms.refreshed == ["tea"])
    let change = Push(["aps": ["content-available": 1], "type": "CASE_UPDATE", "caseId": "500xx000003DGb2"])
    #expect(await dispatcher.handle(change, from: .background) == .newData)
}
