import Foundation
import SelectiveSync
import SelectiveSyncSQLite

/// Follows the store until the app ends, so it is compiled and not run.
func follow(_ sync: RecordSync, of userID: String, in folder: URL, show: ([LocalRecord]) -> Void) async throws {
    let store = try SQLiteStore(file: folder.appendingPathComponent("records.sqlite").path)
    try await sync.logIn(userID)

    for try await accounts in store.observe("Account") {
        show(accounts)
    }
}

/// The decisions are the user's, so it is compiled and not run.
func resolveAll(
    in store: SQLiteStore, choose: (RecordConflict) -> ConflictResolution
) async throws {
    let session = try await store.session()
    for conflict in try await store.conflicts(of: "Account") {
        try await session.resolve(conflict, of: "Account", choose(conflict))
    }
}
