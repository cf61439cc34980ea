/// A person: an anonymous visitor or somebody known.
package struct Individual: Hashable, Sendable, Codable {
    /// Another individual that turned out to be this person.
    package struct Join: Hashable, Sendable, Codable {
        /// The individual that is no longer one of its own.
        package let individual: String
        /// What both had: `user-id`, `email` or `party`; `device` where somebody logged in on the device of an anonymous
        /// visitor.
        package let reason: String
        package let eventID: String
        /// Milliseconds since 1970, the service's clock.
        package let time: Int64
    }

    /// The id of the first device, or the id in the document.
    package let id: String
    package internal(set) var deviceIDs: [String] = []
    /// Everything that identity events and the document tell, `email` and `userId` included.
    package internal(set) var attributes: [String: String] = [:]
    package internal(set) var userID: String?
    package internal(set) var email: String?
    /// Keys of its party identifications; nil if it has none.
    var parties: [String]?
    /// The ids of the individuals that were joined to this one, oldest first.
    package internal(set) var merged: [String] = []
    package internal(set) var joins: [Join] = []
    /// Ids of items, each once, newest last.
    package internal(set) var viewed: [String] = []

    init(_ id: String) { self.id = id }

    package var isKnown: Bool { userID != nil || email != nil || parties != nil }

    /// Whether these identifiers may be the same person's: neither two user ids nor, without a common user id, two emails.
    func isCompatible(userID other: String?, email otherEmail: String?) -> Bool {
        if let userID, let other { return userID == other }
        if let email, let otherEmail { return email.lowercased() == otherEmail.lowercased() }
        return true
    }

    /// - Returns: How many values do not fit.
    mutating func set(_ new: [String: String]) -> Int {
        guard !new.isEmpty else { return 0 }
        var refused = 0
        var bytes = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        for (name, value) in new.sorted(by: { $0.key < $1.key }) {
            let old = attributes[name]
            let size = old.map { value.utf8.count - $0.utf8.count } ?? name.utf8.count + value.utf8.count
            if name.utf8.count <= ServiceLimits.name, value.utf8.count <= ServiceLimits.value,
                old != nil || attributes.count < ServiceLimits.attributes,
                size <= 0 || bytes + size <= ServiceLimits.attributeBytes
            {
                attributes[name] = value
                bytes += size
            } else {
                refused += 1
            }
        }
        return refused
    }

    /// Notes a device. Above the limit the oldest is no longer listed, but still belongs to this person.
    ///
    /// - Returns: How many are no longer listed.
    mutating func add(devices: [String]) -> Int {
        deviceIDs += devices.filter { !deviceIDs.contains($0) }
        let many = max(0, deviceIDs.count - ServiceLimits.devicesPerPerson)
        deviceIDs.removeFirst(many)
        return many
    }
}
