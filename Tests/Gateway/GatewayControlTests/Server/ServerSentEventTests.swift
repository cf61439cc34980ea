import APNSModel
import GatewayJSON
import PayloadJSON
import Testing

@testable import GatewayControl
@testable import GatewayRuntime

struct ServerSentEventTests {
    private static func text(_ event: ServerSentEvent) -> String { String(decoding: event.bytes, as: UTF8.self) }

    @Test func `an event has its name, its id and one line of data`() {
        let data = JSONText.object { $0.add("n", true) }
        #expect(Self.text(ServerSentEvent(name: "a", id: "7", data)) == "event: a\nid: 7\ndata: {\"n\":true}\n\n")
        #expect(Self.text(ServerSentEvent(data)) == "data: {\"n\":true}\n\n")
    }

    @Test func `a comment has neither a name nor data`() {
        #expect(Self.text(.connected) == ": connected\n\n")
        #expect(Self.text(.heartbeat) == ": heartbeat\n\n")
    }

    @Test func `events of the gateway carry their names`() throws {
        let id = try #require(EventID("7-2"))
        #expect(Self.text(ServerSentEvent(.reset, id)) == "event: reset\nid: 7-2\ndata: {}\n\n")
        let token = try #require(DeviceToken("ab12"))
        #expect(Self.text(ServerSentEvent(movedTo: token)) == "event: token\ndata: {\"token\":\"ab12\"}\n\n")
        #expect(Self.text(.gap).hasPrefix("event: gap\ndata: {\"why\":\""))
    }

    @Test func `an id of the opening stands for no event that comes after it`() throws {
        var subscribers = Subscribers()
        let new = try subscribers.addForEvents(at: 7) {}
        #expect(Self.opening(new) == [": connected\nid: 7-0\n\n"])
        _ = subscribers.deliver(.reset)
        _ = subscribers.deliver(.reset)
        let late = try subscribers.addForEvents(after: "7-0", at: 8) {}
        let events = ["event: reset\nid: 7-1\ndata: {}\n\n", "event: reset\nid: 7-2\ndata: {}\n\n"]
        #expect(Self.opening(late) == [": connected\n\n"] + events)
        let current = try subscribers.addForEvents(after: "7-2", at: 9) {}
        #expect(Self.opening(current) == [": connected\nid: 7-2\n\n"])
        let lost = try subscribers.addForEvents(after: "1-1", at: 10) {}
        let opening = Self.opening(lost)
        #expect(opening.first == ": connected\n\n")
        let gap = try #require(opening.last)
        #expect(gap.hasPrefix("event: gap\nid: 7-2\ndata: {\"why\":\""))
    }

    private static func opening(_ subscription: EventSubscription) -> [String] {
        ServerSentEvent.opening(subscription).map { text($0) }
    }
}
