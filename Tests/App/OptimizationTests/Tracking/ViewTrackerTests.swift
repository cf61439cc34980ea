import PushDispatch
import Testing

@testable import Optimization

struct ViewTrackerTests {
    private let hero = TrackedEntry(componentID: "hero", experienceID: "exp-1", variantIndex: 1)
    private let footer = TrackedEntry(componentID: "footer")

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    private func move(
        _ tracker: inout ViewTracker, _ key: String, _ entry: TrackedEntry, _ ratio: Double, _ time: Int64
    ) -> [ViewPayload] {
        tracker.moved(key, entry, to: ratio, rules: .firstGeneration, at: at(time), makeID: { "v-\(key)-\(time)" })
    }

    @Test func `views are tracked beside each other`() {
        var tracker = ViewTracker()
        _ = move(&tracker, "a", hero, 1, 0)
        _ = move(&tracker, "b", footer, 1, 500)
        #expect(tracker.nextDue == at(2_000))
        #expect(
            tracker.advance(to: at(2_500)) == [
                ViewPayload(hero, viewID: "v-a-0", viewDurationMilliseconds: 2_000),
                ViewPayload(footer, viewID: "v-b-500", viewDurationMilliseconds: 2_000),
            ])
        #expect(tracker.ended("a", at: at(3_000)).map(\.viewDurationMilliseconds) == [3_000])
        #expect(tracker.enteredBackground(at: at(4_000)).map(\.entry) == [footer])
        #expect(tracker.count == 0 && tracker.nextDue == nil)
    }

    @Test func `another variant in the same view is another view`() {
        var tracker = ViewTracker()
        _ = move(&tracker, "a", hero, 1, 0)
        let payloads = move(&tracker, "a", footer, 1, 3_000)
        #expect(payloads.map(\.entry) == [hero, hero] && payloads.map(\.viewDurationMilliseconds) == [2_000, 3_000])
        #expect(tracker.advance(to: at(5_000)).map(\.viewID) == ["v-a-3000"])
    }

    @Test func `hidden views need no memory`() {
        var tracker = ViewTracker()
        for index in 0..<1_000 { _ = move(&tracker, "\(index)", footer, 0.1, 0) }
        #expect(tracker.count == 0)
    }

    @Test func `an event carries the baseline's id and the selection`() {
        let selection = ExperienceSelection(experienceID: "exp-1", variantIndex: 1, isSticky: true)
        let resolution = EntryResolver.resolve(TestEntries.hero, selections: [selection])
        #expect(resolution.entry.id == "hero-b")
        #expect(
            TrackedEntry(baseline: TestEntries.hero, resolution)
                == TrackedEntry(componentID: "hero", experienceID: "exp-1", variantIndex: 1, isSticky: true))
        let plain = EntryResolver.resolve(TestEntries.hero, selections: nil)
        #expect(TrackedEntry(baseline: TestEntries.hero, plain) == TrackedEntry(componentID: "hero"))
        #expect(TrackedEntry(baseline: ContentEntry([:]), plain) == nil)
    }
}
