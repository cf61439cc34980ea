import PushDispatch
import SelectiveSync
import Testing

/// What the pages show of filters.
struct ScopePage {
    static func accounts(of user: RecordID, pinned: [RecordID]) -> SyncObject {
        var accounts = SyncObject("Account", fields: ["Name", "OwnerId", "Type"])
        let territory = RecordFilter.field("Territory__c", isOneOf: ["North", "West"])
        let briefcase = RecordFilter.records(pinned)
        accounts.filter = .any([.owner(user), territory, briefcase])
        return accounts
    }

    static func visits(of user: RecordID) -> SyncObject {
        var visits = SyncObject("Visit__c", fields: ["Name", "StartsAt__c", "Account__c"])
        visits.filter = .all([
            .field("Account__r.OwnerId", .equal, .id(user)), .field("StartsAt__c", .greaterOrEqual, .lastDays(30)),
        ])
        return visits
    }

    static func change(_ sync: RecordSync, _ territory: RecordFilter) async throws {
        await sync.setFilter(territory, of: "Account")
        try await sync.resync("Visit__c")
    }

    /// Nothing of a user stays on a device that somebody else gets.
    static func leave(_ sync: RecordSync, discardingEdits: Bool) async throws {
        try await sync.logOut(erasing: true, discardingEdits: discardingEdits)
    }

    @Test func `the filters of the pages are queries`() throws {
        let user = try #require(RecordID("005xx000001X8Uz"))
        let accounts = Self.accounts(of: user, pinned: [user])
        #expect(
            try accounts.filter?.text()
                == "(OwnerId = '\(user)' OR Territory__c IN ('North','West') OR Id IN ('\(user)'))")
        #expect(
            try Self.visits(of: user).filter?.text()
                == "(Account__r.OwnerId = '\(user)' AND StartsAt__c >= LAST_N_DAYS:30)")
    }
}
