import Testing

@testable import Simulation

struct TimelineTests {
    @Test func `time jumps to the next event, and simultaneous events keep their order`() {
        let timeline = Timeline()
        nonisolated(unsafe) var seen: [String] = []
        timeline.at(20) { seen.append("c at \(timeline.now)") }
        timeline.at(10) { seen.append("a at \(timeline.now)") }
        timeline.at(10) { seen.append("b at \(timeline.now)") }
        let cancelled = timeline.at(15) { seen.append("never") }
        timeline.cancel(cancelled)
        while timeline.next != nil { timeline.runNext() }
        #expect(seen == ["a at 10", "b at 10", "c at 20"])
    }

    @Test func `an event in the past is due at once`() {
        let timeline = Timeline()
        timeline.wait(until: 50)
        timeline.at(10) {}
        #expect(timeline.next == 50)
    }
}
