import PushDispatch
import ServiceHost

/// How many profiles have each variant of an experience, and how often each was seen and tapped.
package struct ExperienceCounts: Sendable {
    package struct Numbers: Hashable, Sendable, Codable {
        /// By index, 0 is the baseline.
        package var profiles: [Int]
        package var views: [Int]
        package var clicks: [Int]

        init(_ count: Int) {
            profiles = Array(repeating: 0, count: count)
            views = profiles
            clicks = profiles
        }
    }

    /// By experience.
    private(set) var table = TrackedTable<Numbers>()
    /// A view goes on with further events of the same id, and is one view.
    private var viewIDs = RecentIDs(limit: OptimizationLimits.viewIDs)
    /// Views and taps of an experience or a variant that is not configured.
    package internal(set) var unknown = 0

    init(_ experiences: [Experience]) {
        for experience in experiences { table[experience.id] = Numbers(experience.variantCount) }
    }

    package subscript(id: String) -> Numbers? { table.values[id] }

    /// Moves a profile from its former selections to its new ones.
    mutating func move(_ old: [String: Int], to new: [String: Int]) {
        guard old != new else { return }
        for (id, index) in old { add(-1, id, index) }
        for (id, index) in new { add(1, id, index) }
    }

    private mutating func add(_ count: Int, _ id: String, _ index: Int) {
        guard table.values[id]?.profiles.indices.contains(index) == true else { return }
        table[id]?.profiles[index] += count
    }

    mutating func count(_ event: ProfileEvent) {
        guard event.kind == .component || event.kind == .click, let id = event.experienceID else { return }
        guard table.values[id]?.views.indices.contains(event.variantIndex) == true else {
            unknown += 1
            return
        }
        if event.kind == .component {
            if isNew(event) { table[id]?.views[event.variantIndex] += 1 }
        } else {
            table[id]?.clicks[event.variantIndex] += 1
        }
    }

    /// Whether a view begins with this event.
    private mutating func isNew(_ event: ProfileEvent) -> Bool {
        event.members["viewId"]?.string.map { viewIDs.insert($0) } ?? true
    }

    /// Takes the id of a view that was counted before.
    mutating func know(_ event: ProfileEvent) { if event.kind == .component { _ = isNew(event) } }

    /// Takes the engagement of a store; what no longer fits the configuration stays out.
    mutating func restore(_ old: Numbers, of id: String) {
        guard let now = table.values[id] else { return }
        for index in now.views.indices where old.views.indices.contains(index) && old.clicks.indices.contains(index) {
            table[id]?.views[index] = old.views[index]
            table[id]?.clicks[index] = old.clicks[index]
        }
    }

    mutating func track(_ mode: ChangeTracking) { table.track(mode) }
    mutating func takeChanges() -> [String] { table.takeChanges() }
}
