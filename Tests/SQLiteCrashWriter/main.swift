// Writes to a store without end, so that a test can kill it at any instruction and look at what is left.
//
// Each turn does what a push does (keep the hint, then store the records and forget it) and what a page of the regular
// sync does (records and mark in one). CrashTests knows the pattern.
import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

let store = try SQLiteStore(file: CommandLine.arguments[1])
var turn = Int64(try await store.record(CrashPattern.pushed(0), of: "Account")?.fields["Turn"]?.integer ?? 0)
print("ready")
fflush(nil)
while true {
    turn += 1
    let pushed = (0..<CrashPattern.count).map(CrashPattern.pushed)
    let mark = try await store.keep(Hint(type: "T", object: "Account", records: pushed))
    var selective = MergeBatch("Account", pushed.map { .record(CrashPattern.record($0, turn)) })
    selective.forget = pushed.map { PendingRecord($0, mark: mark ?? .start) }
    _ = try await store.merge(selective)

    let paged = (0..<CrashPattern.count).map(CrashPattern.paged)
    var page = MergeBatch("Account", paged.map { .record(CrashPattern.record($0, turn)) })
    page.progress = SyncProgress()
    page.progress?.mark = ServerDate(millisecondsSince1970: turn)
    _ = try await store.merge(page)
}
