/// An app that the gateway knows: its bundle id, its team and what it may do.
package struct RegisteredApp: Hashable, Sendable, Codable {
    /// The bundle id, without the suffix of a push type.
    package let topic: String
    package let teamID: String
    /// A subset of `everyCapability`.
    package let capabilities: Set<String>
    /// Counts the registrations of the world. A connection accepts only apps registered before its first push
    /// (docs/reference/apns.md 4.4).
    package internal(set) var revision = 0

    package static let broadcastCapability = "broadcast"
    package static let everyCapability: Set<String> = ["push", broadcastCapability]

    package init(topic: String, teamID: String, capabilities: Set<String> = everyCapability) {
        self.topic = topic
        self.teamID = teamID
        self.capabilities = capabilities
    }
}
