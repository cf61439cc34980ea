import EventDelivery

/// What the library keeps over the end of the process, besides the events in the queue.
struct PersonalizationState: Hashable, Sendable, Codable {
    var deviceID: String
    /// The first device id. It outlives log-outs and is never sent: the ids of open events are made from it.
    var installationID: String
    /// Grows with each change of the person.
    var generation = 0
    var profile = ProfileState()
    /// The version of the app that ran last; nil if it never ran.
    var appVersion: String?
    /// The session, if the app is in the background.
    var session: StoredSession?
    /// Events that belong to a change of this state and are not yet in the queue.
    var outbox: [OutgoingEvent] = []

    init(deviceID: String) {
        self.deviceID = deviceID
        installationID = deviceID
    }
}

/// States of other versions: members that this version does not know are left out, and ones that are missing have their first
/// value. What has another type is damage.
extension PersonalizationState {
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(deviceID: try members.decode(String.self, forKey: .deviceID))
        installationID = try members.decodeIfPresent(String.self, forKey: .installationID) ?? installationID
        generation = try members.decodeIfPresent(Int.self, forKey: .generation) ?? generation
        profile = try members.decodeIfPresent(ProfileState.self, forKey: .profile) ?? profile
        appVersion = try members.decodeIfPresent(String.self, forKey: .appVersion)
        // Without it a new session starts, which is never wrong.
        session = try? members.decodeIfPresent(StoredSession.self, forKey: .session)
        outbox = try members.decodeIfPresent([OutgoingEvent].self, forKey: .outbox) ?? outbox
    }
}
