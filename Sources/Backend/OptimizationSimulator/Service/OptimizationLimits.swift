import ServiceHost

/// How much the service keeps and accepts. What does not fit is counted and shown by the control API.
package struct OptimizationLimits: Hashable, Sendable {
    /// Profiles kept. A further one is answered and not kept.
    package var profiles = 100_000
    /// Events kept; the oldest is dropped.
    package var events = 200_000
    /// Of the events kept, in bytes of their text; the oldest is dropped.
    package var eventBytes = 268_435_456
    /// Message ids that are known for repeats; the oldest is forgotten.
    package var messageIDs = 500_000
    /// Requests for one profile in a minute of the service's clock; nil for no limit.
    package var requestsPerProfile: Int?
    /// Requests for entries in a second of the service's clock; nil for no limit. The vendor's is 55.
    package var entriesPerSecond: Int?

    package init() {}

    // MARK: The vendor's numbers

    package static let eventsPerRequest = 200
    package static let identifiesPerBatch = 50
    package static let profilesPerBatch = 50
    package static let entriesPerPage = 1_000
    package static let defaultPage = 100
    package static let include = 10
    /// Of a delivery reply, in bytes.
    package static let reply = 7_340_032

    // MARK: Our numbers, against hostile input

    /// Of an analytics request, over all its profiles.
    package static let analyticsEvents = 1_000
    /// Of an event, in bytes of its text.
    package static let event = 65_536
    /// Names of events that are counted at a profile.
    package static let eventNames = 200
    /// Views whose further events are known; the oldest is forgotten.
    package static let viewIDs = 100_000
    package static let traits = 100
    /// Of all traits of a profile, in UTF-8 bytes.
    package static let traitBytes = 16_384
    /// Of one profile, newest listed.
    package static let merged = 1_000
    /// Of one experience.
    package static let variants = 1_000
    package static let components = 100
    package static let experiences = 1_000
    package static let audiences = 1_000
    package static let conditions = 50
    package static let locations = 10_000
    package static let locales = 100
    package static let files = 100
    /// Of a file of entries, in bytes.
    package static let file = 16_777_216
    /// Of all files together.
    package static let entries = 50_000
    /// Of all files together, in bytes.
    package static let contentBytes = 67_108_864
    /// Milliseconds without an event after which a session has ended.
    package static let sessionPause: Int64 = 1_800_000
}
