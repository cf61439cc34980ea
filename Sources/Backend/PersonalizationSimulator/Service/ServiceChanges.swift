import ServiceHost

/// What requests have changed: keys and numbers only, so that noting them costs little. Their values are in the world.
package struct ServiceChanges: Hashable, Sendable {
    /// Everything was replaced; what else is here is all that there is now.
    package internal(set) var isReplaced = false
    /// Of each data space.
    package internal(set) var people: [People]
    package let decisions: [Int]
    package let waiting: [String]
    package let events: [Int]
    package let eventIDs: [Int]
    package let diagnostics: [Int]
    package let groups: [String]

    package struct People: Hashable, Sendable {
        package let people: [String]
        package let devices: [String]
        package let userIDs: [String]
        package let emails: [String]
        package let parties: [String]
        package let merged: [String]
    }
}

extension Individuals {
    mutating func track(_ mode: ChangeTracking) {
        table.track(mode)
        devices.track(mode)
        byUserID.track(mode)
        byEmail.track(mode)
        byParty.track(mode)
        mergedInto.track(mode)
    }

    mutating func takeChanges() -> ServiceChanges.People {
        ServiceChanges.People(
            people: table.takeChanges(), devices: devices.takeChanges(), userIDs: byUserID.takeChanges(),
            emails: byEmail.takeChanges(), parties: byParty.takeChanges(), merged: mergedInto.takeChanges())
    }
}

extension PersonalizationService {
    mutating func track(_ mode: ChangeTracking) {
        for space in individuals.indices { individuals[space].track(mode) }
        decisions.track(mode)
        events.track(mode)
        diagnostics.track(mode)
        groups.track(mode)
    }

    mutating func takeChanges() -> ServiceChanges {
        let people = individuals.indices.map { individuals[$0].takeChanges() }
        let (decisions, waiting) = decisions.takeChanges()
        let (events, ids) = events.takeChanges()
        return ServiceChanges(
            people: people, decisions: decisions, waiting: waiting, events: events, eventIDs: ids,
            diagnostics: diagnostics.takeChanges(), groups: groups.takeChanges())
    }
}
