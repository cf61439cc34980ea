public import PushDispatch

extension OptimizationClient {
    var display: EntryDisplay {
        var display = EntryDisplay()
        guard let core else { return display }
        display.isInitialized = true
        display.selections = core.shownSelections
        display.conditions = core.lockConditions
        return display
    }

    /// The entry or the variant that is selected now. Before `initialize` it is the baseline.
    ///
    /// - Parameter baseline: With its links replaced.
    public func personalizeEntry(baseline: ContentEntry) -> EntryResolution {
        personalizeEntry(baseline: baseline, personalizations: selectedPersonalizations)
    }

    /// The same with selections of the app's own; nil and an empty list give the baseline.
    public func personalizeEntry(
        baseline: ContentEntry, personalizations: [ExperienceSelection]?
    ) -> EntryResolution {
        guard isInitialized else { return EntryResolution(baseline, .notInitialized) }
        return EntryResolver.resolve(baseline, selections: personalizations)
    }

    /// The same for dictionaries, and with the names of the first generation. What cannot be read is returned as it is.
    public func personalizeEntry(
        baseline: [String: Any], personalizations: [[String: Any]]?
    ) -> (entry: [String: Any], personalization: [String: Any]?, isEmptyVariant: Bool) {
        guard let entry = try? ContentEntry(dictionary: baseline) else { return (baseline, nil, false) }
        var issues: [ReadingIssue] = []
        let selections = personalizations.map { list in
            let values = list.compactMap { try? JSONDictionary.read($0, issues: &issues) }
            return ExperienceSelection.list(.array(values.map { .object($0) }), issues: &issues)
        }
        let resolution = personalizeEntry(baseline: entry, personalizations: selections)
        if !issues.isEmpty { report(.leftOut(issues)) }
        let used = resolution.selection.flatMap { $0.json.object }?.mapValues(JSONDictionary.plain)
        return (
            resolution.isVariant && !resolution.isEmptyVariant ? resolution.entry.dictionary : baseline, used,
            resolution.isEmptyVariant
        )
    }

    /// By the names of the later generation.
    public func resolveOptimizedEntry(
        baseline: ContentEntry, selectedOptimizations: [ExperienceSelection]?
    ) -> EntryResolution {
        personalizeEntry(baseline: baseline, personalizations: selectedOptimizations)
    }

    /// The value of a flag; nil if the service has set none.
    public func flag(_ key: String) -> JSONValue? { flags[key] }

    /// All flags.
    public var flags: [String: JSONValue] { OptimizationChange.flags(core?.changes ?? []) }

    /// The text for a merge tag; nil for an entry that is none.
    public func mergeTagValue(_ entry: ContentEntry) -> String? {
        MergeTags.value(of: entry, profile: core?.profile)
    }

    /// Whether entries without a setting of their own follow each change; false is the default.
    public var isLive: Bool {
        get { core?.isLive ?? false }
        set {
            core?.isLive = newValue
            changed()
        }
    }

    // Views.

    /// A view of an entry was laid out or scrolled.
    ///
    /// - Parameters:
    ///   - view: Names the view.
    ///   - ratio: The visible part of its height (``VisibleRatio``).
    ///   - rules: Nil for the configuration's.
    public func viewMoved(_ view: String, _ entry: TrackedEntry, to ratio: Double, rules: ViewTrackingRules? = nil) {
        guard let core else { return }
        let rules = rules ?? core.configuration.views
        post(
            tracker.moved(view, entry, to: ratio, rules: rules, at: clock.now(), makeID: { self.newViewID() }))
        setViewTimer()
    }

    /// The view was removed.
    public func viewRemoved(_ view: String) {
        guard core != nil else { return }
        post(tracker.ended(view, at: clock.now()))
        setViewTimer()
    }

    /// Reports a tap without waiting for the queue.
    public func tapped(_ entry: TrackedEntry) {
        post { [weak self] in _ = try? await self?.trackClick(ClickPayload(entry)) }
    }

    func post(_ payloads: [ViewPayload]) {
        guard !payloads.isEmpty else { return }
        post { [weak self] in
            for payload in payloads { _ = try? await self?.trackView(payload) }
        }
    }

    /// One after the other, in the order of the calls. What fails has been reported.
    private func post(_ body: @escaping @MainActor @Sendable () async -> Void) {
        let previous = posts
        posts = mainTasks {
            await previous?.value
            await body()
        }
    }

    func setViewTimer() {
        guard let due = tracker.nextDue else {
            viewTimer?.task.cancel()
            viewTimer = nil
            return
        }
        if let viewTimer, viewTimer.moment == due { return }
        viewTimer?.task.cancel()
        let task = mainTasks { [weak self, clock] in
            guard (try? await clock.sleep(until: due)) != nil else { return }
            self?.viewTimerFired(due)
        }
        viewTimer = (due, task)
    }

    private func viewTimerFired(_ moment: DispatchMoment) {
        guard viewTimer?.moment == moment else { return }
        viewTimer = nil
        post(tracker.advance(to: clock.now()))
        setViewTimer()
    }
}
