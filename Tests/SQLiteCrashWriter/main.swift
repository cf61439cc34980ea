// Writes to a store without end, so that a test can kill it at any instruction and look at what is left.
//
// Each turn does what a push does (keep the hint, then store the records and forget it) and what a page of the regular
// sync does (records and mark in one). CrashTests knows the pattern. With a number as second argument no file may grow
// beyond so many bytes: the first failure is printed, and ends it.
import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

if CommandLine.arguments.count > 2, let bytes = UInt(CommandLine.arguments[2]) {
    // Without the signal, a write beyond the limit is an error as any other.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
        setrlimit(RLIMIT_FSIZE, &limit)
    #endif
}

let store = try SQLiteStore(file: CommandLine.arguments[1])
var turn = Int64(try await store.record(CrashPattern.pushed(0), of: "Account")?.fields["Turn"]?.integer ?? 0)
print("ready")
fflush(nil)

func write(_ turn: Int64) async throws {
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

do {
    while true {
        turn += 1
        try await write(turn)
    }
} catch {
    print(error)
}
