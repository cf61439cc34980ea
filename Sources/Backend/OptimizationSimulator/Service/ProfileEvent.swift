package import PushDispatch
import ServiceHost

/// An event that passed the checks of its form.
package struct ProfileEvent: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case identify, page, screen, track, component, alias, group
        case click = "component_click"
        case hover = "component_hover"

        /// Whether it is about an entry or a variable that was shown.
        package var isEngagement: Bool { [.component, .click, .hover].contains(self) }
    }

    package let kind: Kind
    /// In lower case; nil for an event without one, which is never a repeat.
    package let messageID: String?
    package let userID: String?
    package let anonymousID: String?
    /// The name of a `track` event.
    package let name: String?
    package let traits: [String: JSONValue]
    package let location: [String: JSONValue]?
    /// Of a `page` or `screen` event.
    package let place: [String: JSONValue]?
    package let componentID: String?
    package let experienceID: String?
    package let variantIndex: Int
    /// As received.
    package let members: [String: JSONValue]
    /// The size of the members as text, at the least.
    package let bytes: Int

    init(
        _ kind: Kind, messageID: String?, userID: String?, anonymousID: String?, name: String?,
        componentID: String?, experienceID: String?, variantIndex: Int, members: [String: JSONValue]
    ) {
        self.kind = kind
        self.messageID = messageID?.lowercased()
        self.userID = userID
        self.anonymousID = anonymousID
        self.name = name
        self.componentID = componentID
        self.experienceID = experienceID
        self.variantIndex = variantIndex
        self.members = members
        let context = members["context"]?.object
        traits = members["traits"]?.object ?? [:]
        location = context?["location"]?.object
        switch kind {
        case .page: place = context?["page"]?.object ?? members["properties"]?.object
        case .screen: place = context?["screen"]?.object ?? members["properties"]?.object
        default: place = nil
        }
        bytes = JSONValue.leastBytes(of: members)
    }

    /// The keys of a location that a profile keeps.
    static let locationKeys: Set<String> = [
        "coordinates", "city", "postalCode", "region", "regionCode", "country", "countryCode", "continent", "timezone",
    ]
}

/// The events that were received on both queues, oldest first, and the message ids that are known for repeats.
package struct ProfileEventLog: Sendable {
    package enum Queue: String, Hashable, Sendable, CaseIterable { case profile, analytics }

    package struct Entry: Hashable, Sendable {
        package let queue: Queue
        package let profile: String
        package let event: ProfileEvent
        /// When it arrived, in milliseconds since 1970.
        package let arrived: Int64
    }

    private(set) var log: BoundedLog<Entry>
    private(set) var ids: RecentIDs
    private let byteLimit: Int
    /// Of the events that are kept, as text.
    package private(set) var bytes = 0
    package internal(set) var repeats = 0

    init(_ limits: OptimizationLimits, dropped: Int = 0, forgotten: Int = 0) {
        log = BoundedLog(limit: limits.events, dropped: dropped)
        ids = RecentIDs(limit: max(limits.events, limits.messageIDs), forgotten: forgotten)
        byteLimit = limits.eventBytes
    }

    package var entries: ArraySlice<Entry> { log.entries }
    package var dropped: Int { log.dropped }
    /// How many events were received since the start, without repeats.
    package var received: Int { log.nextNumber }

    private static func key(_ id: String, _ queue: Queue) -> String { (queue == .profile ? "p" : "a") + id }

    func knows(_ event: ProfileEvent, _ queue: Queue) -> Bool {
        event.messageID.map { ids.contains(ProfileEventLog.key($0, queue)) } ?? false
    }

    /// - Returns: False for a repeat, which is dropped.
    mutating func append(_ event: ProfileEvent, _ queue: Queue, of profile: String, at now: Int64) -> Bool {
        if let id = event.messageID, !ids.insert(ProfileEventLog.key(id, queue)) {
            repeats += 1
            return false
        }
        keep(Entry(queue: queue, profile: profile, event: event, arrived: now))
        return true
    }

    /// Adds an event whose id is known already.
    mutating func keep(_ entry: Entry) {
        bytes += entry.event.bytes
        if let oldest = log.append(entry).dropped { bytes -= oldest.event.bytes }
        while bytes > byteLimit, log.count > 1, let oldest = log.dropOldest() { bytes -= oldest.event.bytes }
    }

    mutating func know(_ id: String) { ids.insert(id) }

    mutating func track(_ mode: ChangeTracking) {
        log.track(mode)
        ids.track(mode)
    }

    mutating func takeChanges() -> (events: [Int], ids: [Int]) { (log.takeChanges(), ids.takeChanges()) }
}
