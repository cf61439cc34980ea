import PushDispatch
import TestSeeds
import Testing

@testable import Optimization

/// docs/reference/personalization.md 14, and the round trip 6 of 19.
struct ViewTrackingTests {
    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: 10_000 + milliseconds) }

    /// Visible from 0 on, and hidden at a time.
    private func durations(hiddenAt end: Int64, _ rules: ViewTrackingRules = .firstGeneration) -> [Int64] {
        var tracking = ViewTracking(rules)
        var reports = tracking.moved(to: 1, at: at(0), makeID: { "v" })
        reports += tracking.moved(to: 0, at: at(end), makeID: { "v" })
        #expect(reports.allSatisfy { $0.viewID == "v" })
        return reports.map(\.durationMilliseconds)
    }

    @Test(
        arguments: [
            (0, []), (1_900, []), (1_999, []), (2_000, [2_000, 2_000]), (2_500, [2_000, 2_500]),
            (7_000, [2_000, 7_000, 7_000]), (12_000, [2_000, 7_000, 12_000, 12_000]),
            (12_500, [2_000, 7_000, 12_000, 12_500]),
        ] as [(Int64, [Int64])])
    func `the first generation reports at 2, 7 and 12 seconds and at the end`(end: Int64, expected: [Int64]) {
        #expect(durations(hiddenAt: end) == expected)
    }

    @Test func `the later generation reports the start and the end`() {
        #expect(durations(hiddenAt: 999, .laterGeneration) == [])
        #expect(durations(hiddenAt: 60_000, .laterGeneration) == [1_000, 60_000])
    }

    @Test func `0.80 counts, 0.79 does not`() {
        for (ratio, counts) in [(0.8, true), (0.79, false), (1, true), (0, false), (.nan, false), (-1, false)] {
            var tracking = ViewTracking()
            _ = tracking.moved(to: ratio, at: at(0), makeID: { "v" })
            #expect(tracking.isVisible == counts, "\(ratio)")
        }
        var low = ViewTracking(ViewTrackingRules(threshold: 0.3))
        _ = low.moved(to: 0.3, at: at(0), makeID: { "v" })
        #expect(low.isVisible)
    }

    @Test func `scrolling while visible does not start anew, hiding does`() {
        var tracking = ViewTracking()
        var number = 0
        let makeID = {
            number += 1
            return "v\(number)"
        }
        #expect(tracking.moved(to: 0.8, at: at(0), makeID: makeID) == [])
        #expect(tracking.nextDue == at(2_000))
        #expect(
            tracking.moved(to: 0.9, at: at(2_100), makeID: makeID) == [.init(viewID: "v1", durationMilliseconds: 2_000)]
        )
        #expect(tracking.nextDue == at(7_000))
        #expect(
            tracking.moved(to: 0.1, at: at(3_000), makeID: makeID) == [.init(viewID: "v1", durationMilliseconds: 3_000)]
        )
        #expect(tracking.nextDue == nil && tracking.ended(at: at(4_000)) == [])
        _ = tracking.moved(to: 0.8, at: at(5_000), makeID: makeID)
        #expect(tracking.advance(to: at(7_000)) == [.init(viewID: "v2", durationMilliseconds: 2_000)])
    }

    @Test func `after the background a view is new once its position is reported`() {
        var tracking = ViewTracking()
        _ = tracking.moved(to: 1, at: at(0), makeID: { "v1" })
        #expect(tracking.ended(at: at(2_500)).map(\.durationMilliseconds) == [2_000, 2_500])
        #expect(tracking.advance(to: at(60_000)) == [] && tracking.nextDue == nil)
        _ = tracking.moved(to: 1, at: at(60_000), makeID: { "v2" })
        #expect(tracking.advance(to: at(62_000)) == [.init(viewID: "v2", durationMilliseconds: 2_000)])
    }

    @Test func `a year of sleep gives a hundred events at most`() {
        #expect(durations(hiddenAt: 31_536_000_000).count == 101)
        var fast = ViewTracking(
            ViewTrackingRules(viewTimeMilliseconds: .min, updateIntervalMilliseconds: .min))
        _ = fast.moved(to: 1, at: at(0), makeID: { "v" })
        #expect(fast.advance(to: DispatchMoment(milliseconds: .max)).count == 100)
        var slow = ViewTracking(ViewTrackingRules(viewTimeMilliseconds: .max, updateIntervalMilliseconds: .max))
        _ = slow.moved(to: 1, at: at(0), makeID: { "v" })
        #expect(slow.advance(to: DispatchMoment(milliseconds: .max - 1)) == [])
    }

    @Test(arguments: TestSeed.all(1...4))
    func `random scrolling gives events in order, with a last one for each view that had a first`(seed: TestSeed) {
        var random = seed.generator
        var tracking = ViewTracking()
        var now: Int64 = 0
        var (began, ids) = (Int64?.none, 0)
        var views: [String: [Int64]] = [:]
        for _ in 0..<500 {
            now += Int64.random(in: 0...4_000, using: &random)
            var reports: [ViewTracking.Report]
            switch Int.random(in: 0..<8, using: &random) {
            case 0: (reports, began) = (tracking.ended(at: at(now)), nil)
            case 1...3: reports = tracking.advance(to: at(now))
            default:
                let ratio = Double.random(in: 0...1.2, using: &random)
                reports = tracking.moved(to: ratio, at: at(now)) {
                    ids += 1
                    return "v\(ids)"
                }
                began = tracking.isVisible ? began ?? now : nil
            }
            for report in reports { views[report.viewID, default: []].append(report.durationMilliseconds) }
            #expect(tracking.isVisible == (began != nil))
        }
        _ = tracking.ended(at: at(now))
        for durations in views.values {
            #expect(durations.first == 2_000 && durations == durations.sorted())
            for (index, duration) in durations.dropLast().enumerated() {
                #expect(duration == 2_000 + 5_000 * Int64(index))
            }
        }
        #expect(views.count > 10)
    }

    @Test func `the visible ratio is the part of the height inside of the viewport`() {
        #expect(VisibleRatio.of(top: 0, height: 100, viewportHeight: 500) == 1)
        #expect(VisibleRatio.of(top: -20, height: 100, viewportHeight: 500) == 0.8)
        #expect(VisibleRatio.of(top: 420, height: 100, viewportHeight: 500) == 0.8)
        #expect(VisibleRatio.of(top: 60, height: 100, viewportTop: 80, viewportHeight: 500) == 0.8)
        #expect(VisibleRatio.of(top: 600, height: 100, viewportHeight: 500) == 0)
        #expect(VisibleRatio.of(top: 0, height: 1_000, viewportHeight: 500) == 0.5)
        for height in [0, -1, .nan, .infinity] {
            #expect(VisibleRatio.of(top: 0, height: height, viewportHeight: 1) == 0)
        }
        #expect(VisibleRatio.of(top: .nan, height: 1, viewportHeight: 1) == 0)
    }
}
