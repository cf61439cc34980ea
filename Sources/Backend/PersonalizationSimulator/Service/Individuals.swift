/// Who is who: people, their devices, and how they were joined.
///
/// A device belongs to one person at a time. Its first event makes an anonymous individual with the device's id. An
/// identity event with a user id or an email turns that individual into a known person, or joins it to the person who has
/// these identifiers. Two user ids are never one person: where somebody else logs in, the device changes hands, and
/// what was captured before stays with the previous person.
package struct Individuals: Sendable {
    struct Link: Hashable, Sendable {
        /// Capture time of the identity event, in milliseconds since 1970.
        let since: Int64
        let individual: String
    }

    /// What did not fit.
    package struct Dropped: Hashable, Sendable {
        package var people = 0
        package var attributes = 0
        package var joins = 0
        package var links = 0
    }

    let limit: Int
    package private(set) var people: [String: Individual] = [:]
    /// Sorted by time; the first one holds for everything before it.
    private var devices: [String: [Link]] = [:]
    private var byUserID: [String: String] = [:]
    private var byEmail: [String: String] = [:]
    private var mergedInto: [String: String] = [:]
    private(set) var coViews = CoViews()
    package private(set) var dropped = Dropped()
    private var lastNumber = 1

    init(_ known: [ServiceConfiguration.KnownIndividual], limit: Int) {
        self.limit = max(1, limit)
        for known in known where people.count < self.limit {
            var person = Individual(known.id)
            _ = person.set(known.attributes)
            people[known.id] = person
            setKeys(of: known.id, userID: known.userID, email: known.email)
        }
    }

    // MARK: Finding

    /// The individual that this one is now part of.
    func resolve(_ id: String) -> String { mergedInto[id] ?? id }

    /// A person by device, id of an individual, user id or email.
    package func find(_ id: String) -> Individual? {
        let found =
            devices[id]?.last?.individual ?? (people[resolve(id)] != nil ? id : nil) ?? byUserID[id]
            ?? byEmail[id.lowercased()]
        return found.flatMap { people[resolve($0)] }
    }

    /// The owner of a device when an event was captured there.
    package func owner(of device: String, at time: Int64) -> String? {
        guard let links = devices[device] else { return nil }
        let link = links.last { $0.since <= time } ?? links.first
        return link.map { resolve($0.individual) }
    }

    // MARK: Events

    /// Notes a device. The first time it becomes an anonymous individual, or it is the device of a known one with its id.
    ///
    /// - Returns: The owner at that time; nil if the device does not fit.
    @discardableResult
    mutating func see(_ device: String, at time: Int64) -> String? {
        if let owner = owner(of: device, at: time) { return owner }
        let id = resolve(device)
        guard devices.count < limit, people[id] != nil || people.count < limit else {
            dropped.people += 1
            return nil
        }
        people[id, default: Individual(id)].deviceIDs.append(device)
        devices[device] = [Link(since: time, individual: id)]
        return id
    }

    /// What an identity event says.
    struct Identity {
        var device: String
        var time: Int64
        var isAnonymous: Bool
        var userID: String?
        var email: String?
        var attributes: [String: String]
        var eventID: String
    }

    /// - Parameter now: The service's time, for the history.
    mutating func identify(_ identity: Identity, at now: Int64) {
        guard var current = see(identity.device, at: identity.time) else { return }
        if identity.isAnonymous {
            if people[current]?.isKnown == true { current = logOut(identity, from: current) }
            set(identity.attributes, of: current)
            return
        }
        guard identity.userID != nil || identity.email != nil else {
            set(identity.attributes, of: current)
            return
        }
        let person = owner(for: identity, current, at: now)
        setKeys(of: person, userID: identity.userID, email: identity.email)
        set(identity.attributes, of: person)
    }

    /// The person with the identity's keys, after joins and with the device belonging to that person.
    private mutating func owner(for identity: Identity, _ current: String, at now: Int64) -> String {
        var target = identity.userID.flatMap { byUserID[$0] }.map { resolve($0) }
        if let email = identity.email?.lowercased(), let other = byEmail[email].map({ resolve($0) }), other != target {
            if let known = target {
                // The same person, known by email on one channel and by user id on another.
                if isCompatible(other, identity), isCompatible(other, known) {
                    join(other, into: known, "email", identity, at: now)
                }
            } else if isCompatible(other, identity) {
                target = other
            }
        }
        let device = resolve(current)
        guard let target, people[target] != nil else {
            if isCompatible(device, identity) { return device }
            return newIndividual(on: identity.device, since: identity.time) ?? device
        }
        guard target != device else { return target }
        if people[device]?.isKnown == false {
            join(device, into: target, "device", identity, at: now)
        } else if isCompatible(device, identity), isCompatible(device, target) {
            join(device, into: target, identity.userID != nil ? "user-id" : "email", identity, at: now)
        } else {
            link(identity.device, to: target, since: identity.time)
        }
        return target
    }

    private func isCompatible(_ id: String, _ identity: Identity) -> Bool {
        people[id]?.isCompatible(userID: identity.userID, email: identity.email) ?? false
    }

    private func isCompatible(_ left: String, _ right: String) -> Bool {
        guard let left = people[left], let right = people[right] else { return false }
        // Two emails without a user id on one side: the event that names both proves that they are one person's.
        return left.userID == nil || right.userID == nil || left.userID == right.userID
    }

    /// Notes that a person viewed an item.
    mutating func view(_ item: String, by id: String) {
        let id = resolve(id)
        guard var person = people[id] else { return }
        if let index = person.viewed.firstIndex(of: item) {
            person.viewed.remove(at: index)
        } else {
            coViews.add(item, with: person.viewed)
        }
        person.viewed.append(item)
        trim(&person)
        people[id] = person
    }

    private mutating func trim(_ person: inout Individual) {
        while person.viewed.count > ServiceLimits.viewedItems {
            let oldest = person.viewed.removeFirst()
            coViews.add(oldest, with: person.viewed, -1)
        }
    }

    mutating func set(_ attributes: [String: String], of id: String) {
        dropped.attributes += people[resolve(id)]?.set(attributes) ?? 0
    }

    // MARK: Changes

    private mutating func setKeys(of id: String, userID: String?, email: String?) {
        if let userID {
            people[id]?.userID = userID
            byUserID[userID] = id
            set(["userId": userID], of: id)
        }
        if let email {
            let key = email.lowercased()
            // An email of somebody else stays theirs: two user ids are never one person.
            if let other = byEmail[key].map({ resolve($0) }), other != id { return }
            if let old = people[id]?.email?.lowercased(), old != key { byEmail[old] = nil }
            people[id]?.email = email
            byEmail[key] = id
            set(["email": email], of: id)
        }
    }

    /// The device has an anonymous owner from this time on.
    private mutating func logOut(_ identity: Identity, from current: String) -> String {
        // An event that was captured before the last change of owner came late; it does not undo that change.
        guard let last = devices[identity.device]?.last, last.since <= identity.time else { return current }
        return newIndividual(on: identity.device, since: identity.time) ?? current
    }

    private mutating func newIndividual(on device: String, since: Int64) -> String? {
        guard people.count < limit else {
            dropped.people += 1
            return nil
        }
        repeat { lastNumber += 1 } while people[resolve("\(device)~\(lastNumber)")] != nil
        let id = "\(device)~\(lastNumber)"
        people[id] = Individual(id)
        link(device, to: id, since: since)
        return id
    }

    private mutating func link(_ device: String, to id: String, since: Int64) {
        var links = devices[device] ?? []
        let position = links.firstIndex { $0.since > since } ?? links.endIndex
        if position > 0, resolve(links[position - 1].individual) == id { return }
        links.insert(Link(since: since, individual: id), at: position)
        if links.count > ServiceLimits.links {
            links.removeFirst()
            dropped.links += 1
        }
        devices[device] = links
        if people[id]?.deviceIDs.contains(device) == false { people[id]?.deviceIDs.append(device) }
    }

    /// Carries everything of one individual over to another.
    private mutating func join(
        _ id: String, into target: String, _ reason: String, _ identity: Identity, at now: Int64
    ) {
        guard id != target, let gone = people[id], var person = people[target] else { return }
        people[id] = nil
        person.deviceIDs += gone.deviceIDs.filter { !person.deviceIDs.contains($0) }
        dropped.attributes += person.set(gone.attributes.filter { person.attributes[$0.key] == nil })
        person.userID = person.userID ?? gone.userID
        person.email = person.email ?? gone.email
        coViews.add(gone.viewed, -1)
        coViews.add(person.viewed, -1)
        person.viewed = gone.viewed.filter { !person.viewed.contains($0) } + person.viewed
        coViews.add(person.viewed)
        trim(&person)
        person.merged += gone.merged + [id]
        person.joins += gone.joins
        person.joins.append(Individual.Join(individual: id, reason: reason, eventID: identity.eventID, time: now))
        if person.joins.count > ServiceLimits.joins {
            dropped.joins += person.joins.count - ServiceLimits.joins
            person.joins.removeFirst(person.joins.count - ServiceLimits.joins)
        }
        // Ids that are no longer listed still lead to this person.
        if person.merged.count > ServiceLimits.joins {
            person.merged.removeFirst(person.merged.count - ServiceLimits.joins)
        }
        for merged in gone.merged + [id] { mergedInto[merged] = target }
        if let userID = gone.userID { byUserID[userID] = person.userID == userID ? target : byUserID[userID] }
        if let email = gone.email?.lowercased() { byEmail[email] = target }
        people[target] = person
    }
}
