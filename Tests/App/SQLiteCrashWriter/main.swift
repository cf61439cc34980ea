// Uses a store, so that a test can kill it or make its disk fail at any instruction:
//
//     write FILE                        endless turns
//     fail FILE write|sync|size NUMBER  at most 300 turns, until the first failure: from the write or sync of this
//                                       number on each fails with EIO, or no file may exceed this number of bytes. Then
//                                       reads what is stored.
//     replace FILE kill|tear NUMBER     openOrReplace, killed at the call of this number that changes a file
//     erase FILE kill|tear NUMBER       the same for erase of an open store
//
// Each turn does what a push does (keep the hint, store the records and forget the hint) and what a page of the regular
// sync does (store records and mark together). CrashTests checks the result.
import FaultyDisk
import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

// The test needs the process id to kill it.
print(getpid())
let words = CommandLine.arguments
let file = words[2]
let maximumTurns: Int64 = 300
let number = words.count > 4 ? Int(words[4]) ?? 0 : 0
let folder = strdup(URL(fileURLWithPath: file).deletingLastPathComponent().resolvingSymlinksInPath().path)

func write(_ turn: Int64, _ store: SQLiteStore) async throws {
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

func lastTurn(_ store: SQLiteStore) async throws -> Int64 {
    Int64(try await store.record(CrashPattern.pushed(0), of: "Account")?.fields["Turn"]?.integer ?? 0)
}

/// Limits the size of every file.
func limitSize(_ bytes: Int) {
    // If the signal is ignored, a write beyond the limit returns an error.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
        setrlimit(RLIMIT_FSIZE, &limit)
    #endif
}

if words[1] == "replace" {
    FaultyDisk_arm(folder, words[3] == "tear" ? FaultyDiskTear : FaultyDiskKill, number)
    let (_, replacement) = try SQLiteStore.openOrReplace(file: file)
    print("calls \(FaultyDisk_calls()) recovered \(replacement?.recoveredEdits ?? 0)")
    exit(0)
}

let store = try SQLiteStore(file: file)
if words[1] == "erase" {
    FaultyDisk_arm(folder, words[3] == "tear" ? FaultyDiskTear : FaultyDiskKill, number)
    try await store.erase(discardingEdits: true)
    print("calls \(FaultyDisk_calls())")
    exit(0)
}
var turn = try await lastTurn(store)
print("ready")
fflush(nil)
if words[1] == "fail" {
    switch words[3] {
    case "write": FaultyDisk_arm(folder, FaultyDiskWrite, number)
    case "sync": FaultyDisk_arm(folder, FaultyDiskSync, number)
    default: limitSize(number)
    }
}
do {
    while words[1] == "write" || turn < maximumTurns {
        try await write(turn + 1, store)
        turn += 1
    }
    print("failed never")
} catch {
    print("failed \(error)")
}
print("stored \(turn)")
print("read \(try await lastTurn(store))")
