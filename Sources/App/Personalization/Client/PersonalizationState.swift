import EventDelivery

/// What the library keeps over the end of the process, besides the events in the queue.
struct PersonalizationState: Hashable, Sendable, Codable {
    var deviceID: String
    /// Grows with each change of the person.
    var generation = 0
    var profile = ProfileState()
    /// The version of the app that ran last; nil if it never ran.
    var appVersion: String?
    /// The session, if the app is in the background.
    var session: StoredSession?
    /// Events that belong to a change of this state and are not yet in the queue.
    var outbox: [OutgoingEvent] = []

    init(deviceID: String) { self.deviceID = deviceID }
}
