import ServiceHost
import PushDispatch

/// Party identifications: ids of a person in other systems.
extension Individuals {
    /// What a party identification event says. Only the three together name a person.
    struct Party {
        var type: String
        var name: String
        var id: String

        /// The three as one text. Files contain it, so it never changes.
        var key: String {
            let parts: JSONValue = [.string(type), .string(name), .string(id)]
            return String(decoding: parts.compactBytes, as: UTF8.self)
        }
    }

    /// Notes that the owner of a device has a party identification, and joins the owner and whoever else has it unless they
    /// have different user ids. The device stays with its owner.
    ///
    /// - Parameters:
    ///   - time: The capture time of the event, in milliseconds since 1970.
    ///   - now: The service's time, for the history.
    mutating func identify(
        _ party: Party, on device: String, since time: Int64, eventID: String, at now: Int64
    ) {
        guard let current = see(device, at: time) else { return }
        let key = party.key
        guard let other = byParty[key].map({ resolve($0) }), table[other] != nil else {
            guard var person = table[current] else { return }
            if !addParty(key, to: &person) { dropped.parties += 1 }
            table[current] = person
            return
        }
        guard other != current, isCompatible(other, current) else { return }
        let isStranger = table[other]?.userID == nil && table[other]?.email == nil
        if isStranger, table[current]?.isKnown == true {
            join(other, into: current, "party", eventID, at: now)
        } else {
            join(current, into: other, "party", eventID, at: now)
        }
    }

    /// - Returns: False if it does not fit; then it leads to nobody.
    mutating func addParty(_ key: String, to person: inout Individual) -> Bool {
        let isKept = (person.parties?.count ?? 0) < ServiceLimits.partiesPerPerson
        guard isKept, byParty[key] != nil || byParty.count < limit else {
            byParty[key] = nil
            return false
        }
        byParty[key] = person.id
        person.parties = (person.parties ?? []) + [key]
        return true
    }
}
