import ServiceHost

/// Who is who: people, their devices, and how they were joined.
///
/// A device belongs to one person at a time. Its first event makes an anonymous individual with the device's id. An
/// identity event with a user id or an email turns that individual into a known person, or joins it to the person who has
/// these identifiers. Two user ids are never one person: where somebody else logs in, the device changes hands, and
/// what was captured before stays with the previous person. Contact points and party identifications join people too, and
/// never take a device from its owner.
package struct Individuals: Sendable {
    struct Link: Hashable, Sendable, Codable {
        /// Capture time of the identity event, or of the first event, in milliseconds since 1970.
        var since: Int64
        let individual: String
    }

    /// What did not fit.
    package struct Dropped: Hashable, Sendable, Codable {
        package var people = 0
        package var attributes = 0
        package var joins = 0
        package var links = 0
        /// Devices that are no longer listed at their person.
        package var devices = 0
        /// Ids of joined individuals that no longer lead to a person.
        package var merged = 0
        package var parties = 0
    }

    /// Another individual's id, which leads to the person that it was joined to.
    struct Merged: Hashable, Sendable, Codable {
        let into: String
        let number: Int
    }

    let limit: Int
    var table = TrackedTable<Individual>()
    /// Sorted by time; the first one holds for everything before it.
    var devices = TrackedTable<[Link]>()
    var byUserID = TrackedTable<String>()
    /// In lower case.
    var byEmail = TrackedTable<String>()
    /// The individuals with a party identification, by `Party.key`.
    var byParty = TrackedTable<String>()
    var mergedInto = TrackedTable<Merged>()
    /// The ids in `mergedInto`, oldest first.
    var mergedOrder: BoundedLog<String>
    var coViews = CoViews(limit: ServiceLimits.pairs)
    package internal(set) var dropped = Dropped()
    var lastNumber = 1

    init(limit: Int) {
        self.limit = max(1, limit)
        mergedOrder = BoundedLog(limit: self.limit)
    }

    init(_ known: [ServiceConfiguration.KnownIndividual], limit: Int) {
        self.init(limit: limit)
        for known in known { add(known) }
    }

    /// Adds a person of the document, unless the id, the user id or the email is known.
    mutating func add(_ known: ServiceConfiguration.KnownIndividual) {
        guard table[resolve(known.id)] == nil, known.userID.map({ byUserID[$0] == nil }) ?? true,
            known.email.map({ byEmail[$0.lowercased()] == nil }) ?? true
        else { return }
        guard table.count < limit else {
            dropped.people += 1
            return
        }
        var person = Individual(known.id)
        dropped.attributes += person.set(known.attributes)
        table[known.id] = person
        setKeys(of: known.id, userID: known.userID, email: known.email)
    }

    // MARK: Finding

    package var people: [String: Individual] { table.values }

    /// The individual that this one is now part of.
    func resolve(_ id: String) -> String {
        var id = id
        // A joined individual is never joined to again, so the ids form no circle.
        while let merged = mergedInto[id] { id = merged.into }
        return id
    }

    /// A person by device, id of an individual, user id or email.
    package func find(_ id: String) -> Individual? {
        let found =
            devices[id]?.last?.individual ?? (table[resolve(id)] != nil ? id : nil) ?? byUserID[id]
            ?? byEmail[id.lowercased()]
        return found.flatMap { table[resolve($0)] }
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
        moveBack(device, to: time)
        if let owner = owner(of: device, at: time) { return owner }
        let id = resolve(device)
        guard devices.count < limit, table[id] != nil || table.count < limit else {
            dropped.people += 1
            return nil
        }
        if table[id] == nil { table[id] = Individual(id) }
        note(device, of: id)
        devices[device] = [Link(since: time, individual: id)]
        return id
    }

    /// The first owner of a device has it from the device's earliest event on, as long as that owner is not known by an id.
    /// The earliest event may arrive late: identity events wait for consent, for example, while others are sent.
    private mutating func moveBack(_ device: String, to time: Int64) {
        guard let first = devices[device]?.first, time < first.since,
            table[resolve(first.individual)]?.isKnown == false
        else { return }
        devices[device]?[0].since = time
    }

    private mutating func note(_ device: String, of id: String) {
        dropped.devices += table[id]?.add(devices: [device]) ?? 0
    }

    /// What an identity event says.
    struct Identity {
        var device: String
        var time: Int64
        /// Whether it is a contact point, which may join people but never gives a device to another person.
        var isContactPoint: Bool
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
            if table[current]?.isKnown == true { current = logOut(identity, from: current) }
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
                    join(other, into: known, "email", identity.eventID, at: now)
                }
            } else if isCompatible(other, identity) {
                target = other
            }
        }
        let device = resolve(current)
        guard let target, table[target] != nil else {
            if identity.isContactPoint || isCompatible(device, identity) { return device }
            return newIndividual(on: identity.device, since: identity.time) ?? device
        }
        guard target != device else { return target }
        if table[device]?.isKnown == false {
            join(device, into: target, "device", identity.eventID, at: now)
        } else if isCompatible(device, identity), isCompatible(device, target) {
            join(device, into: target, identity.userID != nil ? "user-id" : "email", identity.eventID, at: now)
        } else if identity.isContactPoint {
            return device
        } else {
            link(identity.device, to: target, since: identity.time)
        }
        return target
    }

    private func isCompatible(_ id: String, _ identity: Identity) -> Bool {
        table[id]?.isCompatible(userID: identity.userID, email: identity.email) ?? false
    }

    func isCompatible(_ left: String, _ right: String) -> Bool {
        guard let left = table[left], let right = table[right] else { return false }
        // Two emails without a user id on one side: the event that names both proves that they are one person's.
        return left.userID == nil || right.userID == nil || left.userID == right.userID
    }

    /// Notes that a person viewed an item.
    mutating func view(_ item: String, by id: String) {
        let id = resolve(id)
        guard var person = table[id] else { return }
        if let index = person.viewed.firstIndex(of: item) {
            person.viewed.remove(at: index)
        } else {
            coViews.add(item, with: person.viewed)
        }
        person.viewed.append(item)
        trim(&person)
        table[id] = person
    }

    private mutating func trim(_ person: inout Individual) {
        while person.viewed.count > ServiceLimits.viewedItems {
            let oldest = person.viewed.removeFirst()
            coViews.add(oldest, with: person.viewed, -1)
        }
    }

    mutating func set(_ attributes: [String: String], of id: String) {
        dropped.attributes += table[resolve(id)]?.set(attributes) ?? 0
    }

    // MARK: Changes

    private mutating func setKeys(of id: String, userID: String?, email: String?) {
        if let userID {
            table[id]?.userID = userID
            byUserID[userID] = id
            set(["userId": userID], of: id)
        }
        if let email {
            let key = email.lowercased()
            // An email of somebody else stays theirs: two user ids are never one person.
            if let other = byEmail[key].map({ resolve($0) }), other != id { return }
            if let old = table[id]?.email?.lowercased(), old != key { byEmail[old] = nil }
            table[id]?.email = email
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
        guard table.count < limit else {
            dropped.people += 1
            return nil
        }
        repeat { lastNumber += 1 } while table[resolve("\(device)~\(lastNumber)")] != nil
        let id = "\(device)~\(lastNumber)"
        table[id] = Individual(id)
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
        if table[id]?.deviceIDs.contains(device) == false { note(device, of: id) }
    }

    /// Puts back the ids of joined individuals, sorted by number; `dropSurplus` removes those that do not fit.
    mutating func restoreMerged(_ all: [(id: String, value: Merged)]) {
        // The numbers go on after the stored ones.
        let next = (all.last?.value.number ?? -1) + 1
        mergedOrder = BoundedLog(limit: max(limit, all.count), dropped: next - all.count)
        for (id, value) in all {
            let (number, _) = mergedOrder.append(id)
            mergedInto[id] = Merged(into: value.into, number: number)
        }
    }

    /// Removes the oldest ids of joined individuals where a store has more than the limit.
    mutating func dropSurplus() {
        for id in mergedOrder.lower(to: limit) {
            mergedInto[id] = nil
            dropped.merged += 1
        }
    }

    /// The id of an individual leads to another one from now on.
    private mutating func merge(_ id: String, into target: String) {
        let (number, forgotten) = mergedOrder.append(id)
        mergedInto[id] = Merged(into: target, number: number)
        guard let forgotten else { return }
        mergedInto[forgotten] = nil
        dropped.merged += 1
    }

    /// Carries everything of one individual over to another.
    mutating func join(
        _ id: String, into target: String, _ reason: String, _ eventID: String, at now: Int64
    ) {
        guard id != target, let gone = table[id], var person = table[target] else { return }
        table[id] = nil
        dropped.devices += person.add(devices: gone.deviceIDs)
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
        person.joins.append(Individual.Join(individual: id, reason: reason, eventID: eventID, time: now))
        if person.joins.count > ServiceLimits.joins {
            dropped.joins += person.joins.count - ServiceLimits.joins
            person.joins.removeFirst(person.joins.count - ServiceLimits.joins)
        }
        // Ids that are no longer listed still lead to this person, as long as `mergedInto` has them.
        if person.merged.count > ServiceLimits.joins {
            person.merged.removeFirst(person.merged.count - ServiceLimits.joins)
        }
        merge(id, into: target)
        for key in gone.parties ?? [] where !addParty(key, to: &person) { dropped.parties += 1 }
        if let userID = gone.userID, person.userID == userID { byUserID[userID] = target }
        if let email = gone.email?.lowercased() {
            // Each person has one email of its own; those of joined individuals come on top.
            let fits = byEmail.count <= limit
            byEmail[email] = fits || person.email?.lowercased() == email ? target : nil
            if byEmail[email] == nil { dropped.merged += 1 }
        }
        table[target] = person
    }
}

extension Individuals.Dropped {
    /// Files of earlier versions have no parties.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        people = try values.decode(Int.self, forKey: .people)
        attributes = try values.decode(Int.self, forKey: .attributes)
        joins = try values.decode(Int.self, forKey: .joins)
        links = try values.decode(Int.self, forKey: .links)
        devices = try values.decode(Int.self, forKey: .devices)
        merged = try values.decode(Int.self, forKey: .merged)
        parties = try values.decodeIfPresent(Int.self, forKey: .parties) ?? 0
    }
}
