/// The bounds and habits of an org. A test lowers a limit to reach it. Times in milliseconds.
package struct OrgSettings: Hashable, Sendable {
    /// `create` refuses one more.
    package var maximumRecords = 200_000
    /// REST calls of a UTC day, by the org's clock.
    package var dailyCalls = 100_000
    /// Push calls of one transaction; one more fails the save (docs/reference/selective-sync.md 3.2).
    package var pushCallsPerTransaction = 10
    /// Devices that one push call may reach.
    package var notificationsPerCall = 2_000
    /// Pushes to iOS in one UTC clock hour.
    package var pushesPerHour = 20_000
    /// Whether push is switched on for the org as a whole.
    package var isPushEnabled = true
    package var accessTokenLifetime: Int64 = 2 * 3_600_000
    /// Whether a refresh token is good for one use and replaced by it.
    package var rotatesRefreshTokens = false
    /// What `instance_url` says; empty for the address that the token was asked from.
    package var instanceURL = ""
    /// How long a deletion is remembered.
    package var deletionLog: Int64 = 15 * OrgSettings.day
    /// How long `nextRecordsUrl` is good after its last use.
    package var queryLocatorLifetime: Int64 = 15 * 60_000
    /// What a wish for smaller pages is raised to.
    package var minimumPageSize = 200
    package var maximumPageSize = 2_000
    /// Ids in one list of what was changed or deleted.
    package var maximumReplicationIDs = 600_000

    package static let day: Int64 = 86_400_000

    package init() {}
}
