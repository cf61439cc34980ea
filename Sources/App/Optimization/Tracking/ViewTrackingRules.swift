/// When an entry counts as seen.
///
/// Source: docs/reference/personalization.md 8 and 14.
public struct ViewTrackingRules: Hashable, Sendable {
    /// The part of the entry's height that has to be visible, from 0 to 1. An entry that is taller than the screen never
    /// reaches 0.8: give it a lower one.
    public var threshold = 0.8
    /// How long it has to be visible before the first event.
    public var viewTimeMilliseconds: Int64 = 2_000
    /// The time between later events; nil for none but the last.
    public var updateIntervalMilliseconds: Int64? = 5_000

    public init(
        threshold: Double = 0.8, viewTimeMilliseconds: Int64 = 2_000, updateIntervalMilliseconds: Int64? = 5_000
    ) {
        self.threshold = threshold
        self.viewTimeMilliseconds = viewTimeMilliseconds
        self.updateIntervalMilliseconds = updateIntervalMilliseconds
    }

    /// 80 %, first event after 2 s, then one each 5 s, and one at the end.
    public static let firstGeneration = ViewTrackingRules()
    /// 10 %, one event after 1 s and one at the end.
    public static let laterGeneration = ViewTrackingRules(
        threshold: 0.1, viewTimeMilliseconds: 1_000, updateIntervalMilliseconds: nil)

    /// A ratio that is not a number does not count.
    func isVisible(_ ratio: Double) -> Bool { ratio >= threshold }

    /// How long after the beginning event *n* comes, from 1; nil if there is none.
    func time(ofEvent number: Int64) -> Int64? {
        let first = max(0, viewTimeMilliseconds)
        guard number > 1 else { return first }
        guard let updateIntervalMilliseconds else { return nil }
        let (later, overflow) = max(1, updateIntervalMilliseconds).multipliedReportingOverflow(by: number - 1)
        let (time, overflows) = first.addingReportingOverflow(later)
        return overflow || overflows ? nil : time
    }
}

/// The visible part of an entry in a scrolling view.
public enum VisibleRatio {
    /// The part of the height from `top` to `top + height` that is inside of the viewport, from 0 to 1. All lengths are in
    /// points, from the same zero. Without a height, and for lengths that are not numbers, it is 0.
    public static func of(
        top: Double, height: Double, viewportTop: Double = 0, viewportHeight: Double
    ) -> Double {
        guard height > 0, viewportHeight > 0, height.isFinite, top.isFinite, viewportTop.isFinite else { return 0 }
        let visible = min(top + height, viewportTop + viewportHeight) - max(top, viewportTop)
        return min(max(0, visible / height), 1)
    }
}
