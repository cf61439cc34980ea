package import PushDispatch
import ServiceHost

/// A visitor as the profile service knows them.
package struct VisitorProfile: Hashable, Sendable, Codable {
    package let id: String
    /// What variants are allocated by.
    package let stableID: String
    /// From 0 to 1, drawn when the profile was made.
    package let random: Double
    package internal(set) var userID: String?
    package internal(set) var traits: [String: JSONValue] = [:]
    package internal(set) var location: [String: JSONValue] = [:]
    package internal(set) var session: VisitorSession
    /// How often each event has come, by name and by type.
    package internal(set) var eventCounts: [String: Int] = [:]
    package internal(set) var audiences: [String] = []
    /// The variants of the last reply, by experience.
    package internal(set) var selections: [String: Int] = [:]
    /// The variants of sticky experiences, which stay.
    package internal(set) var sticky: [String: Int] = [:]
    /// Ids of the profiles that were merged into this one, oldest first.
    package internal(set) var merged: [String] = []
    /// Traits and names of events that did not fit.
    package internal(set) var refused = 0
    /// Milliseconds since 1970, the service's clock.
    package let created: Int64
    package internal(set) var seen: Int64

    init(_ id: String, random: Double, sessionID: String, at now: Int64) {
        self.id = id
        stableID = id
        self.random = random
        session = VisitorSession(id: sessionID, at: now)
        created = now
        seen = now
    }

    mutating func count(_ name: String) {
        guard eventCounts[name] != nil || eventCounts.count < OptimizationLimits.eventNames,
            name.utf8.count <= WireLimits.name
        else {
            refused += 1
            return
        }
        eventCounts[name, default: 0] += 1
    }

    /// - Parameter replaces: Whether a trait that is there gets the new value. Null removes it.
    mutating func set(_ new: [String: JSONValue], replaces: Bool = true) {
        var bytes = JSONValue.leastBytes(of: traits)
        for (name, value) in new.sorted(by: { $0.key < $1.key }) where replaces || traits[name] == nil {
            if value == .null {
                traits[name] = nil
                continue
            }
            let size = JSONValue.leastBytes(of: [name: value])
            let old = traits[name].map { JSONValue.leastBytes(of: [name: $0]) } ?? 0
            guard name.utf8.count <= WireLimits.name, bytes - old + size <= OptimizationLimits.traitBytes,
                old > 0 || traits.count < OptimizationLimits.traits
            else {
                refused += 1
                continue
            }
            traits[name] = value
            bytes += size - old
        }
    }

    /// Takes over what another profile of the same person has. Where both have a value, this one's stays.
    mutating func merge(_ other: VisitorProfile) {
        set(other.traits, replaces: false)
        for (name, count) in other.eventCounts.sorted(by: { $0.key < $1.key }) {
            guard eventCounts[name] != nil || eventCounts.count < OptimizationLimits.eventNames else {
                refused += 1
                continue
            }
            eventCounts[name, default: 0] += count
        }
        if location.isEmpty { location = other.location }
        sticky.merge(other.sticky) { mine, _ in mine }
        session.merge(other.session)
        merged += other.merged + [other.id]
        refused += other.refused
        seen = max(seen, other.seen)
        // Older ones no longer lead here.
        if merged.count > OptimizationLimits.merged { merged.removeFirst(merged.count - OptimizationLimits.merged) }
    }
}

/// The visits of a profile. One ends after 30 minutes without an event.
package struct VisitorSession: Hashable, Sendable, Codable {
    package private(set) var id: String
    package private(set) var count = 1
    /// The page or screen of the first event that has one.
    package private(set) var landingPage: [String: JSONValue] = [:]
    private var start: Int64
    private var last: Int64
    /// Milliseconds of the sessions that have ended.
    private var ended: Int64 = 0

    init(id: String, at now: Int64) {
        self.id = id
        start = now
        last = now
    }

    /// - Parameter makeID: Makes the id of a new session.
    mutating func touch(at now: Int64, page: [String: JSONValue]?, _ makeID: () -> String) {
        if now - last > OptimizationLimits.sessionPause {
            ended += last - start
            count += 1
            id = makeID()
            landingPage = [:]
            start = now
        }
        last = max(last, now)
        if landingPage.isEmpty, let page { landingPage = page }
    }

    mutating func merge(_ other: VisitorSession) {
        // The session that runs is one of both, so it is not counted twice.
        count += other.count - 1
        ended += other.ended
        if landingPage.isEmpty { landingPage = other.landingPage }
    }

    package var isReturningVisitor: Bool { count > 1 }

    /// As in a reply; lengths in seconds.
    package var members: [String: JSONValue] {
        let active = last - start
        return [
            "id": .string(id), "isReturningVisitor": .bool(isReturningVisitor), "landingPage": .object(landingPage),
            "count": .integer(Int64(count)), "activeSessionLength": .integer(active / 1_000),
            "averageSessionLength": .integer((ended + active) / Int64(max(1, count)) / 1_000),
        ]
    }
}
