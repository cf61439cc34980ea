import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON
import Testing

struct GatewayEventTests {
    @Test func `every event has one name, and two are sent only on request`() {
        #expect(Set(GatewayEvent.names).count == GatewayEvent.names.count)
        #expect(GatewayEvent.names.filter { !GatewayEvent.defaultNames.contains($0) } == ["accepted", "refused"])
    }

    @Test func `a subscriber gets the events that it names, or the usual ones`() {
        #expect(GatewayEvent.reset.events(for: nil).map(\.name) == ["reset"])
        #expect(GatewayEvent.reset.events(for: ["reset", "clock"]).map(\.name) == ["reset"])
        #expect(GatewayEvent.reset.events(for: ["clock"]).isEmpty)
    }

    @Test func `a judged request is also the first line of its life for those who ask for it`() throws {
        var sample = try SampleWorld()
        let accepted = GatewayEvent.judged(try sample.entry())
        #expect(accepted.events(for: nil).map(\.name) == ["notification"])
        #expect(accepted.events(for: ["accepted"]).map(\.name) == ["accepted"])
        #expect(accepted.events(for: ["notification", "accepted"]).map(\.name) == ["notification", "accepted"])
        #expect(accepted.events(for: ["refused"]).isEmpty)
        let refused = GatewayEvent.judged(try sample.entry(to: "ff00"))
        #expect(refused.events(for: ["accepted"]).isEmpty)
        #expect(refused.events(for: ["refused"]).map(\.name) == ["refused"])
    }

    @Test func `an event shows what it is about`() throws {
        let name = try #require(WorldName("orders"))
        #expect(GatewayEvent.world(.made, name).name == "world-made")
        #expect(GatewayEvent.world(.made, name).json.text == #"{"name":"orders"}"#)
        #expect(GatewayEvent.reset.json.text == "{}")
        #expect(
            GatewayEvent.clock(.manual, now: SampleWorld.now).json.text
                == #"{"mode":"manual","now":"2026-11-21T07:00:00.000Z"}"#)
        #expect(GatewayEvent.settings(WorldSettings()).json.text == WorldSettings().json.text)
    }
}
