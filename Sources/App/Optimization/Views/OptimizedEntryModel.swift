import PushDispatch

/// What one view of an entry shows, and what it reports. The views of SwiftUI and UIKit draw it.
///
/// It follows the client from its creation on, also while no view reads it, because a locked entry keeps the selections of the
/// moment at which the preview panel closes.
@MainActor
public final class OptimizedEntryModel {
    public let client: OptimizationClient
    /// Names the view for the tracking.
    public let viewID: String
    /// The entry as the delivery service has it, with its links replaced.
    public private(set) var baseline: ContentEntry
    /// A version that a push has brought, for an entry that is locked.
    private var newer: ContentEntry?
    /// What is shown now.
    public private(set) var resolution: EntryResolution
    /// When it counts as seen; nil for the configuration's rules.
    public var rules: ViewTrackingRules?
    private var lock: SelectionLock
    private let resolutions = Broadcast<EntryResolution>()
    private var ratio = 0.0

    /// - Parameters:
    ///   - isLive: Whether it follows each change of the selections; nil for the app's setting.
    ///   - rules: Lower the threshold for an entry that is taller than the screen.
    public init(
        _ client: OptimizationClient, baseline: ContentEntry, isLive: Bool? = nil, rules: ViewTrackingRules? = nil
    ) {
        self.client = client
        self.baseline = baseline
        self.rules = rules
        viewID = client.newViewID()
        lock = SelectionLock(isLive: isLive)
        resolution = EntryResolution(baseline, .notInitialized)
        client.add(self)
        refresh()
    }

    /// The entry's own setting: true for live, false for locked, nil for the app's.
    public var isLive: Bool? {
        get { lock.isLive }
        set {
            lock.isLive = newValue
            refresh()
        }
    }

    /// Another version of the entry, or another entry. It is locked with the selections of before.
    public func show(_ baseline: ContentEntry) {
        newer = nil
        guard baseline != self.baseline else { return }
        self.baseline = baseline
        refresh()
    }

    /// Takes the version of the entry that a push has brought: at once where it is live. A locked entry stays as it is under
    /// its reader, and takes the version when it becomes live or is shown by another view.
    ///
    /// - Returns: Whether it is another version.
    func take(_ version: ContentEntry) -> Bool {
        guard version.isNewer(than: newer ?? baseline) else { return false }
        newer = version
        refresh()
        return true
    }

    /// What is shown, now and after each change.
    public func updates() -> AsyncStream<EntryResolution> { resolutions.stream(startingWith: resolution, limit: 1) }

    /// What of the entry is reported; nil for an entry without an id, and for a preview.
    public var tracked: TrackedEntry? { TrackedEntry(baseline: baseline, resolution) }

    /// The view was laid out or scrolled.
    ///
    /// - Parameter ratio: The visible part of its height (``VisibleRatio``).
    public func moved(to ratio: Double) {
        self.ratio = ratio
        if let tracked {
            client.viewMoved(viewID, tracked, to: ratio, rules: rules)
        } else {
            client.viewRemoved(viewID)
        }
    }

    /// The view is not on the screen any more.
    public func removed() {
        ratio = 0
        client.viewRemoved(viewID)
    }

    public func tapped() {
        if let tracked { client.tapped(tracked) }
    }

    /// The client has changed.
    func refresh() {
        let display = client.display
        let resolved: EntryResolution
        if display.isInitialized {
            if let newer, lock.isLive(display.conditions) { (baseline, self.newer) = (newer, nil) }
            let selections = lock.selections(display.selections, display.conditions)
            resolved = EntryResolver.resolve(baseline, selections: selections)
        } else {
            resolved = EntryResolution(baseline, .notInitialized)
        }
        guard resolved != resolution else { return }
        let before = tracked
        resolution = resolved
        resolutions.send(resolved)
        // What is visible in the same place now is another view.
        if tracked != before, ratio > 0 { moved(to: ratio) }
    }
}
