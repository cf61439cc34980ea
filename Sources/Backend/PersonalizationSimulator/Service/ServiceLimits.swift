import ServiceHost

/// How much the service keeps and accepts. What does not fit is counted and shown by the control API.
package struct ServiceLimits: Hashable, Sendable {
    /// People, and separately devices. A device beyond it is answered as a first-time visitor and not kept.
    package var people = 100_000
    /// Decisions kept; the oldest is dropped. Engagement with a dropped decision is kept as an event only.
    package var decisions = 100_000
    /// Events kept; the oldest is dropped.
    package var events = 200_000
    /// Of the events kept, in bytes of their text; the oldest is dropped.
    package var eventBytes = 268_435_456
    /// Event ids that are known for repeats; the oldest is forgotten.
    package var eventIDs = 500_000
    /// Diagnostics kept in the log object; the oldest is dropped.
    package var diagnostics = 10_000
    /// Decision requests a minute of the service's clock, for the tenant.
    package var requestsPerMinute = 60_000
    /// People noted in the groups of all experiments together.
    package var experimentPeople = 500_000
    /// UTF-8 bytes of the items of one decision; items beyond it are cut off with diagnostic 533.
    package var contentBytes = 65_536

    package init() {}

    /// How long a client waits after "set-up not loaded", in milliseconds.
    package static let setUpPause: Int64 = 30_000

    // MARK: The vendor's numbers

    package static let decisionsPerPoint = 25
    package static let conditions = 50
    package static let itemsPerRecommendation = 24
    /// What an experiment needs for each group before its result means something.
    package static let peoplePerGroup = 1_000

    // MARK: Our numbers, against hostile input

    /// Of a request, in bytes.
    package static let body = WireLimits.body
    package static let pointsPerRequest = 100
    package static let eventsPerBatch = 1_000
    /// Of an id or a name, in UTF-8 bytes.
    package static let name = WireLimits.name
    /// Of a context value or an attribute, in UTF-8 bytes.
    package static let value = WireLimits.value
    package static let contextKeys = 100
    package static let attributes = 100
    /// Of all attributes of a person, names and values, in UTF-8 bytes.
    package static let attributeBytes = 16_384
    /// Of an event, in bytes of its text.
    package static let event = 65_536
    /// Of one person, newest listed.
    package static let devicesPerPerson = 1_000
    /// Pairs of items that the same people viewed, in each data space.
    package static let pairs = 1_000_000
    package static let dataSpaces = 16
    package static let appSources = 100
    /// Clients that follow `GET /api/events` at a time.
    package static let subscribers = ServiceSubscribers.maximum
    /// Server-sent events that wait for one client, in bytes; one that falls further behind is disconnected.
    package static let waitingBytes = ServiceSubscribers.maximumWaitingBytes
    /// Items that a person has viewed, newest kept, for recommenders.
    package static let viewedItems = 50
    /// Of one person.
    package static let joins = 1_000
    package static let partiesPerPerson = 100
    /// Of one device: how often it changed between people.
    package static let links = 64
    /// Points, types of items, items of a type and individuals in a document.
    package static let documentPoints = 1_000
    package static let documentTypes = 100
    package static let documentItems = 10_000
    package static let documentIndividuals = 100_000
}
