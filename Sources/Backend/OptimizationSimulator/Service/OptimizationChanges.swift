import ServiceHost

/// What requests have changed: keys and numbers only. Their values are in the world.
package struct OptimizationChanges: Hashable, Sendable {
    /// Everything was replaced; what else is here is all that there is now.
    package internal(set) var isReplaced = false
    package let profiles: [String]
    package let experiences: [String]
    package let events: [Int]
    package let messageIDs: [Int]
}

extension OptimizationService {
    mutating func track(_ mode: ChangeTracking) {
        profiles.track(mode)
        counts.track(mode)
        events.track(mode)
    }

    mutating func takeChanges() -> OptimizationChanges {
        let (numbers, ids) = events.takeChanges()
        return OptimizationChanges(
            profiles: profiles.takeChanges(), experiences: counts.takeChanges(), events: numbers, messageIDs: ids)
    }
}
