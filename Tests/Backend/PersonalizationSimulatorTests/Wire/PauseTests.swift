import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// The pauses that the service asks for.
struct PauseTests {
    private func fault(_ effect: String, _ path: String, _ world: inout ServiceWorld) -> Int {
        world.control("POST", "/api/faults", #"{"match":{"path":"\#(path)"},"effect":\#(effect),"count":1}"#).status
    }

    @Test func `set-up not loaded asks for 30 seconds`() {
        var world = world(shop)
        #expect(fault(#"{"status":503}"#, "decisions", &world) == 201)
        let answer = world.decide("hero")
        #expect(answer.status == 503 && answer.response.headers["retry-after"] == "30")
        #expect(fault(#"{"status":503}"#, "events", &world) == 201)
        let events = world.send(view(1, "1"))
        #expect(events.status == 503 && events.response.headers["retry-after"] == nil)
    }

    @Test func `a fault names its own pause`() {
        var world = world(shop)
        #expect(fault(#"{"status":429,"retry-after":"1500ms"}"#, "events", &world) == 201)
        #expect(world.get("/api/faults")["faults"][0]["effect"] == ["status": 429, "retry-after": "1500ms"])
        let answer = world.send(view(1, "1"))
        #expect(answer.status == 429 && answer.response.headers["retry-after"] == "2", "whole seconds, rounded up")
        #expect(fault(#"{"retry-after":"5s"}"#, "events", &world) == 400)
        #expect(fault(#"{"delay":"5s","retry-after":"5s"}"#, "events", &world) == 400)
        #expect(fault(#"{"status":429,"retry-after":"2h"}"#, "events", &world) == 400)
    }

    @Test func `the text of a set-up that is not loaded names the pause that is sent`() {
        var world = world(shop)
        for (pause, header, text) in [
            ("5s", "5", "5 seconds"), ("300ms", "1", "1 second"), ("1500ms", "2", "2 seconds"),
        ] {
            #expect(fault(#"{"status":503,"retry-after":"\#(pause)"}"#, "decisions", &world) == 201)
            let answer = world.decide("hero")
            #expect(answer.response.headers["retry-after"] == header)
            #expect(answer.text.contains("ask again in \(text)\""), "\(answer.text)")
        }
        #expect(fault(#"{"status":503}"#, "decisions", &world) == 201)
        #expect(world.decide("hero").text.contains("ask again in 30 seconds\""))
    }

    @Test func `above the limit of requests a minute the answer names the rest of the minute`() {
        var world = world("limits: {requests-per-minute: 1}\n" + shop)
        #expect(world.decide("hero").status == 200)
        let answer = world.decide("hero")
        // The clock is at 30.120 seconds.
        #expect(answer.status == 429 && answer.codes == [406] && answer.response.headers["retry-after"] == "30")
        _ = world.control("POST", "/api/clock/advance", #"{"by":"30s"}"#)
        #expect(world.decide("hero").status == 200)
    }
}
