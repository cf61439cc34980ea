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
        #expect(Self.text(.connected(after: id)) == ": connected\nid: 7-2\n\n")
        #expect(Self.text(.missedEvents).hasPrefix("event: gap\ndata: {\"why\":\""))
        let token = try #require(DeviceToken("ab12"))
        #expect(Self.text(ServerSentEvent(movedTo: token)) == "event: token\ndata: {\"token\":\"ab12\"}\n\n")
        #expect(Self.text(.gap).hasPrefix("event: gap\ndata: {\"why\":\""))
    }
}
