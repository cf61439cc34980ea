/// Limits and options of an org. A test lowers a limit to reach it. Times are in milliseconds.
package struct OrgSettings: Hashable, Sendable {
    /// `create` throws above this number.
    package var maximumRecords = 200_000
    /// REST calls in one UTC day of the org's clock.
    package var dailyCalls = 100_000
    /// Push calls in one transaction; one more fails the save (docs/reference/selective-sync.md 3.2).
    package var pushCallsPerTransaction = 10
    /// Devices that one push call may reach.
    package var notificationsPerCall = 2_000
    /// Pushes to iOS devices in one UTC clock hour.
    package var pushesPerHour = 20_000
    /// Whether push is enabled for the whole org.
    package var isPushEnabled = true
    package var accessTokenLifetime: Int64 = 2 * 3_600_000
    /// Whether each use of a refresh token replaces it with a new one.
    package var rotatesRefreshTokens = false
    /// The value of `instance_url`; if empty, the address of the token request is used.
    package var instanceURL = ""
    /// How long the org remembers a deletion.
    package var deletionLog: Int64 = 15 * OrgSettings.day
    /// How long `nextRecordsUrl` stays valid after its last use.
    package var queryLocatorLifetime: Int64 = 15 * 60_000
    /// The smallest page size; smaller requested sizes are raised to it.
    package var minimumPageSize = 200
    /// Whether a later page shows its records as they are when it is fetched, without those that are gone. Otherwise they are
    /// as they were at the time of the query.
    package var readsPagesLate = false
    package var maximumPageSize = 2_000
    /// The maximum number of ids in one list of changes or deletions.
    package var maximumReplicationIDs = 600_000

    /// How long each transaction takes: its stamps are of its start, and it becomes visible at its end.
    package var transactionTime: Int64 = 0

    package static let day: Int64 = 86_400_000

    package init() {}
}
