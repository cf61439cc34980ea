import PushDispatch

/// What is known about the person, and what of it was reported to the service.
struct ProfileState: Hashable, Sendable, Codable {
    private(set) var isKnown = false
    private(set) var attributes: [String: String] = [:]
    private(set) var parties: [PartyIdentification] = []
    /// Contact points as they were last reported, by the type of the event.
    private(set) var reportedContacts: [String: [String: String]] = [:]
    private(set) var reportedParties: [PartyIdentification] = []
    /// Whether the last identity event has been queued, or there is none.
    private(set) var isReported = true
    /// Whether the service may know something of the person who uses the app: an event about them was queued for this device.
    private var mayBeKnown = false
    /// Whether the service may still take this device for an earlier person.
    private(set) var mayBeTakenForFormer = false

    var userID: String? { attributes["userId"] }

    /// Whether a log-in is by the person who is logged in already. A person known by email only may add a user id; without an
    /// id in common it is somebody else.
    func isSamePerson(_ profile: [String: String], _ others: [PartyIdentification]) -> Bool {
        if let mine = userID, let other = profile["userId"] { return mine == other }
        if let mine = attributes["email"], let other = profile["email"] {
            return mine.lowercased() == other.lowercased()
        }
        return others.contains { parties.contains($0) }
    }

    /// - Returns: Whether anything has changed.
    mutating func set(_ profile: [String: String], _ parties: [PartyIdentification], isKnown: Bool) -> Bool {
        let before = self
        self.isKnown = isKnown
        attributes.merge(profile) { _, new in new }
        for party in parties where !self.parties.contains(party) { self.parties.append(party) }
        self.parties = Array(self.parties.suffix(KnownPerson.maximumParties))
        guard self != before else { return false }
        isReported = false
        return true
    }

    /// Sets single attributes; nil removes one.
    ///
    /// - Returns: Whether anything has changed.
    mutating func set(_ changes: [String: String?]) -> Bool {
        let before = attributes
        for (name, value) in changes { attributes[name] = value.flatMap { $0.isEmpty ? nil : $0 } }
        guard attributes != before else { return false }
        isReported = false
        return true
    }

    /// The person logs out, so nothing is known about who uses the app.
    ///
    /// - Parameters:
    ///   - isSameDevice: Whether the id of the device stays, so that the service goes on with the person until the log-out
    ///     is reported.
    ///   - isQueuing: Whether events about the person wait for the queue.
    /// - Returns: Whether a person was known before.
    mutating func logOut(isSameDevice: Bool, isQueuing: Bool) -> Bool {
        let before = self
        let wasKnown = isKnown || !attributes.isEmpty
        self = ProfileState()
        isReported = before.isReported && !wasKnown
        guard isSameDevice else { return wasKnown }
        mayBeKnown = before.mayBeKnown
        mayBeTakenForFormer = before.mayBeTakenForFormer || before.mayBeKnown || isQueuing
        return wasKnown
    }

    /// An event about the person is in the queue.
    mutating func queued() { mayBeKnown = true }

    /// The service has the last identity event.
    mutating func delivered() {
        mayBeTakenForFormer = false
        if !isKnown, attributes.isEmpty { mayBeKnown = false }
    }

    /// The events were withdrawn, so they are reported again when that is allowed.
    mutating func withdraw() {
        reportedContacts = [:]
        reportedParties = []
        isReported = !isKnown && attributes.isEmpty && !mayBeTakenForFormer
    }

    // Events (docs/reference/personalization.md 4.2).

    /// The fields of each contact point; all of the first ones must be there.
    private static let contacts: [(type: String, required: [String], optional: [String])] = [
        ("contactPointEmail", ["email"], []), ("contactPointPhone", ["phoneNumber"], []),
        (
            "contactPointAddress", ["addressLine1", "city", "postalCode", "stateProvince", "country"],
            ["addressLine2", "addressLine3"]
        ),
    ]

    /// What was not reported: the identity event with all attributes, contact points that are complete and have changed, and
    /// new party identifications. They count as reported.
    mutating func takeEvents() -> [AppEvent] {
        guard !isReported else { return [] }
        isReported = true
        var identity = AppEvent(type: "identity", .profile)
        identity.add("isAnonymous", isKnown ? "0" : "1")
        for (name, value) in attributes.sorted(by: { $0.key.precedesByBytes($1.key) }) { identity.add(name, value) }
        var events = [identity]
        for contact in ProfileState.contacts {
            let fields = attributes.filter { contact.required.contains($0.key) || contact.optional.contains($0.key) }
            guard contact.required.allSatisfy({ fields[$0] != nil }), reportedContacts[contact.type] != fields else {
                continue
            }
            reportedContacts[contact.type] = fields
            var event = AppEvent(type: contact.type, .profile)
            for name in contact.required + contact.optional { if let value = fields[name] { event.add(name, value) } }
            events.append(event)
        }
        for party in parties where !reportedParties.contains(party) {
            var event = AppEvent(type: "partyIdentification", .profile)
            event.add("IDName", party.name)
            event.add("IDType", party.type)
            event.add("userId", party.userID)
            events.append(event)
        }
        reportedParties = parties
        return events
    }

    // Storing.

    init() {}

    /// As for `PersonalizationState`.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func flag(_ key: CodingKeys) throws -> Bool? { try members.decodeIfPresent(Bool.self, forKey: key) }
        isKnown = try flag(.isKnown) ?? isKnown
        attributes = try members.decodeIfPresent([String: String].self, forKey: .attributes) ?? attributes
        parties = try members.decodeIfPresent([PartyIdentification].self, forKey: .parties) ?? parties
        reportedContacts =
            try members.decodeIfPresent([String: [String: String]].self, forKey: .reportedContacts) ?? reportedContacts
        reportedParties =
            try members.decodeIfPresent([PartyIdentification].self, forKey: .reportedParties) ?? reportedParties
        isReported = try flag(.isReported) ?? isReported
        mayBeKnown = try flag(.mayBeKnown) ?? (isKnown || !attributes.isEmpty)
        mayBeTakenForFormer = try flag(.mayBeTakenForFormer) ?? mayBeTakenForFormer
    }

    // Checks.

    /// Of all names and values as JSON, so that the identity event fits the queue.
    static let maximumProfileBytes = 128 << 10

    /// - Parameter changes: An empty text or nil removes the attribute.
    /// - Throws: `invalidValue` if the profile would be too large with these changes.
    func checkMerged(_ changes: [String: String?]) throws(PersonalizationError) {
        var merged = attributes
        for (name, value) in changes { merged[name] = value.flatMap { $0.isEmpty ? nil : $0 } }
        guard merged.count <= 2 * AppEvent.maximumAttributes else {
            throw .invalid(
                "the profile would have \(merged.count) attributes; at most \(2 * AppEvent.maximumAttributes) are kept, so remove some first"
            )
        }
        let members = JSONValue.object(merged.mapValues { .string($0) })
        guard members.compactBytes.count <= ProfileState.maximumProfileBytes else {
            throw .invalid(
                "the profile would have more than \(ProfileState.maximumProfileBytes) bytes; shorten or remove attributes"
            )
        }
    }

    /// - Parameter reserved: Names that have a property of their own.
    static func check(
        _ attributes: [String: String], besides reserved: Set<String> = []
    ) throws(PersonalizationError) {
        guard attributes.count <= AppEvent.maximumAttributes else {
            throw .invalid(
                "a profile has \(attributes.count) attributes; at most \(AppEvent.maximumAttributes) are sent")
        }
        for (name, value) in attributes {
            try AppEvent.check(name, "the name of a profile attribute")
            guard !AppEvent.commonKeys.contains(name), !reserved.contains(name), name != "isAnonymous" else {
                throw .invalid(
                    "the profile attribute \(name) has the name of a field of the event; use its own property")
            }
            guard value.utf8.count <= AppEvent.maximumTextBytes else {
                throw .invalid(
                    "the profile attribute \(name) has more than \(AppEvent.maximumTextBytes) bytes; shorten it")
            }
        }
    }
}
