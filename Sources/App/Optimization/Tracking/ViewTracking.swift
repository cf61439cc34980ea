public import PushDispatch

/// One view of one entry: when it began, and which events of it are due.
///
/// A state machine without a clock: each call has the moment at which it happens, and returns the events that are due by then.
///
/// Source: docs/reference/personalization.md 14.
public struct ViewTracking: Hashable, Sendable {
    /// An event of a view.
    public struct Report: Hashable, Sendable {
        /// The same for all events of one view.
        public var viewID: String
        public var durationMilliseconds: Int64

        public init(viewID: String, durationMilliseconds: Int64) {
            self.viewID = viewID
            self.durationMilliseconds = durationMilliseconds
        }
    }

    /// The most events that one call returns. A device that slept owes no event for each five seconds of it.
    static let maximumReports: Int64 = 100

    private struct View: Hashable, Sendable {
        var id: String
        var since: DispatchMoment
        var sent: Int64 = 0
    }

    public var rules: ViewTrackingRules
    private var view: View?

    public init(_ rules: ViewTrackingRules = .firstGeneration) { self.rules = rules }

    public var isVisible: Bool { view != nil }

    /// When to call ``advance(to:)`` next; nil if nothing will be due.
    public var nextDue: DispatchMoment? {
        guard let view, let time = rules.time(ofEvent: view.sent + 1) else { return nil }
        return view.since.advanced(byMilliseconds: time)
    }

    /// The entry was laid out or scrolled.
    ///
    /// - Parameters:
    ///   - ratio: The visible part of its height, from 0 to 1 (``VisibleRatio``).
    ///   - makeID: A new id of a view, a UUID.
    public mutating func moved(to ratio: Double, at now: DispatchMoment, makeID: () -> String) -> [Report] {
        guard rules.isVisible(ratio) else { return ended(at: now) }
        let due = advance(to: now)
        if view == nil { view = View(id: makeID(), since: now) }
        return due + advance(to: now)
    }

    /// Time has passed.
    public mutating func advance(to now: DispatchMoment) -> [Report] {
        guard var view else { return [] }
        let elapsed = max(0, now.milliseconds(since: view.since))
        var reports: [Report] = []
        // Events before this number are too late to be sent one by one.
        let skipped = due(by: elapsed) - ViewTracking.maximumReports
        if view.sent < skipped { view.sent = skipped }
        while let time = rules.time(ofEvent: view.sent + 1), time <= elapsed {
            view.sent += 1
            reports.append(Report(viewID: view.id, durationMilliseconds: time))
        }
        self.view = view
        return reports
    }

    /// How many events there are up to a time.
    private func due(by elapsed: Int64) -> Int64 {
        let first = max(0, rules.viewTimeMilliseconds)
        guard elapsed >= first else { return 0 }
        guard let interval = rules.updateIntervalMilliseconds else { return 1 }
        return 1 + (elapsed - first) / max(1, interval)
    }

    /// The entry is hidden or removed, or the app goes to the background. It counts as a new view once it is visible again,
    /// which has to be reported after the background too.
    ///
    /// - Returns: What was due, and the last event if one was sent before.
    public mutating func ended(at now: DispatchMoment) -> [Report] {
        var reports = advance(to: now)
        guard let view else { return [] }
        self.view = nil
        if view.sent > 0 {
            reports.append(
                Report(viewID: view.id, durationMilliseconds: max(0, now.milliseconds(since: view.since))))
        }
        return reports
    }
}
