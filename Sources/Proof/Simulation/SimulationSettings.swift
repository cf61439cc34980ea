import APNSModel
import PushDispatch
import SelectiveSync

/// The settings that a seed determines for a run: its size, its faults and their frequency.
struct SimulationSettings {
    var steps: Int
    var users: Int
    var devices: Int
    var records: Int
    var pageSize: Int
    /// Percentage of the pushes between gateway and device.
    var lostPercent: Int
    var doubledPercent: Int
    var latePercent: Int
    /// Percentage of the pushes that also arrive by another entry point.
    var twinPercent: Int
    /// Percentage of the messages between device and org.
    var requestFaultPercent: Int
    var slowPercent: Int
    var refusalPercent: Int
    /// Percentage of the calls of a store.
    var storeFaultPercent: Int
    var storeStallPercent: Int
    /// Percentage of the messages between sender and gateway.
    var connectionFaultPercent: Int
    /// Percentage of the replies of the org whose connection ends early, so that the device has a part of the body.
    var cutPercent: Int
    /// Percentage of the requests whose session has expired.
    var sessionEndPercent: Int
    /// Percentage of the renewals that the org refuses for good.
    var loginNeededPercent: Int
    /// In milliseconds.
    var accessTokenLifetime: Int64
    /// Whether a renewal replaces the refresh token as well, so that a lost answer ends the session.
    var rotatesRefreshTokens: Bool
    /// Whether a later page of a query shows its records as they are by then.
    var readsPagesLate: Bool
    /// Percentage of the calls that remove hints from a store.
    var forgetFaultPercent: Int
    /// Percentage of the changes in the org that are made by an automatic process only.
    var automaticPercent: Int
    /// Percentage of the uploaded changes after which automation in the org changes the record.
    var automationPercent: Int
    /// Whether the edits are uploaded once more after faults have stopped.
    var uploadsLast: Bool
    /// The average number of jobs between crashes; nil for no crashes except those of the script.
    var jobsBetweenCrashes: Int?
    var refusesDeletions: Bool
    var sendsPushIDs: Bool
    var connections: Int
    var documentedBudgets: Bool
    var collapses: Bool
    var maximumPending: Int
    var hasScope: Bool
    var missing: MergeRules.Missing
    /// What happens to conflicts at the moment at which they are found.
    var conflicts: ConflictPolicy
    /// Whether the devices keep only records of some regions, which change.
    var hasFilters: Bool
    /// Whether versions of the app have different fields.
    var changesFields: Bool
    /// Whether new records are created by upsert. Otherwise a lost answer may double one.
    var usesExternalIDs: Bool
    var sync = SyncPolicy()
    var dispatch = DispatchPolicy()
    var regular = RegularSyncPolicy()

    init(using random: inout SeededGenerator) {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
        steps = pick([20, 30, 40, 60])
        users = pick([2, 2, 3])
        devices = pick([1, 2, 2, 3])
        records = pick([3, 6, 10])
        pageSize = pick([1, 2, 3, 5])
        let isCalm = pick([true, false, false, false])
        lostPercent = pick([0, 0, 10, 30, 100])
        doubledPercent = isCalm ? 0 : pick([0, 10, 30])
        latePercent = isCalm ? 0 : pick([0, 20, 50])
        twinPercent = pick([0, 15, 40])
        requestFaultPercent = isCalm ? 0 : pick([0, 3, 10])
        slowPercent = isCalm ? 0 : pick([0, 3, 8])
        refusalPercent = isCalm ? 0 : pick([0, 2, 5])
        storeFaultPercent = isCalm ? 0 : pick([0, 0, 2])
        storeStallPercent = isCalm ? 0 : pick([0, 0, 2, 12])
        cutPercent = isCalm ? 0 : pick([0, 0, 3])
        sessionEndPercent = isCalm ? 0 : pick([0, 0, 5, 15])
        loginNeededPercent = isCalm ? 0 : pick([0, 0, 10, 40])
        accessTokenLifetime = pick([7_200_000, 7_200_000, 300_000])
        rotatesRefreshTokens = pick([false, false, true])
        readsPagesLate = pick([true, true, false])
        forgetFaultPercent = isCalm ? 0 : pick([0, 0, 30])
        automaticPercent = pick([0, 20])
        automationPercent = pick([0, 20, 60])
        uploadsLast = pick([false, true])
        connectionFaultPercent = isCalm ? 0 : pick([0, 3, 10])
        jobsBetweenCrashes = isCalm ? nil : pick([nil, 100, 300])
        refusesDeletions = pick([false, false, false, false, true])
        sendsPushIDs = pick([true, false, false])
        connections = pick([1, 1, 2])
        documentedBudgets = pick([false, false, false, true])
        collapses = pick([false, true])
        maximumPending = pick([3, 6, 10_000, 10_000])
        hasScope = pick([false, false, false, true])
        missing = pick([.remove, .remove, .mark])
        conflicts = pick([.keep, .keep, .keep, .keep, .keep, .mine, .theirs])
        usesExternalIDs = pick([true, true, true, false])
        hasFilters = pick([false, false, true])
        changesFields = pick([false, false, true])
        sync.maximumBatch = pick([1, 2, 3, 2_000])
        sync.maximumRequests = pick([1, 2, 3])
        sync.maximumPending = pick([2, 4, 10_000, 10_000])
        sync.gatherMilliseconds = pick([0, 100, 100, 1_000])
        dispatch.maximumHandlers = pick([2, 16, 16])
        dispatch.userKey = "userId"
        dispatch.identityKey = sendsPushIDs ? "pushId" : nil
        regular.ghostBatch = pick([2, 3, 500])
        regular.ghostIntervalMilliseconds = pick([3_600_000, 86_400_000])
    }

    /// Whether a record belongs on the devices of this run.
    func isInScope(_ record: RecordID) -> Bool {
        !hasScope || record.description.utf8.reduce(0) { $0 + Int($1) } % 4 != 0
    }
}
