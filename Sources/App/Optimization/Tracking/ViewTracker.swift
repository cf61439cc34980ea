import PushDispatch

/// The views of all entries on a screen.
struct ViewTracker {
    private struct Tracked {
        var entry: TrackedEntry
        var tracking: ViewTracking
    }

    private var views: [String: Tracked] = [:]

    /// When time passing makes an event due next.
    var nextDue: DispatchMoment? { views.values.compactMap(\.tracking.nextDue).min() }

    var count: Int { views.count }

    /// A view of an entry was laid out or scrolled.
    ///
    /// - Parameters:
    ///   - key: Names the view; two views can show one entry.
    ///   - entry: What it shows now. Another variant is another view.
    mutating func moved(
        _ key: String, _ entry: TrackedEntry, to ratio: Double, rules: ViewTrackingRules, at now: DispatchMoment,
        makeID: () -> String
    ) -> [ViewPayload] {
        var payloads: [ViewPayload] = []
        if let former = views[key], former.entry != entry || former.tracking.rules != rules {
            payloads = ended(key, at: now)
        }
        // What is hidden needs no memory.
        guard views[key] != nil || rules.isVisible(ratio) else { return payloads }
        var view = views[key] ?? Tracked(entry: entry, tracking: ViewTracking(rules))
        let reports = view.tracking.moved(to: ratio, at: now, makeID: makeID)
        views[key] = view.tracking.isVisible ? view : nil
        return payloads + reports.map { payload(entry, $0) }
    }

    mutating func advance(to now: DispatchMoment) -> [ViewPayload] {
        all { $0.advance(to: now) }
    }

    /// The view was removed.
    mutating func ended(_ key: String, at now: DispatchMoment) -> [ViewPayload] {
        guard var view = views.removeValue(forKey: key) else { return [] }
        return view.tracking.ended(at: now).map { payload(view.entry, $0) }
    }

    /// The app goes to the background. Views begin anew when their position is reported again.
    mutating func enteredBackground(at now: DispatchMoment) -> [ViewPayload] {
        defer { views = [:] }
        return all { $0.ended(at: now) }
    }

    private mutating func all(_ change: (inout ViewTracking) -> [ViewTracking.Report]) -> [ViewPayload] {
        var payloads: [ViewPayload] = []
        for key in views.keys.sorted() {
            guard var view = views[key] else { continue }
            let reports = change(&view.tracking)
            views[key] = view
            payloads += reports.map { payload(view.entry, $0) }
        }
        return payloads
    }

    private func payload(_ entry: TrackedEntry, _ report: ViewTracking.Report) -> ViewPayload {
        ViewPayload(entry, viewID: report.viewID, viewDurationMilliseconds: report.durationMilliseconds)
    }
}
