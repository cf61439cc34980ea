// Uses a store of EventDelivery, so that a test can kill it or make its disk fail at any call:
//
//     write file|sqlite FILE                       endless turns
//     fail  file|sqlite FILE write|sync|size NUMBER   at most 300 turns, until the first failure: from the write or sync of
//                                                  this number on each fails with EIO, or no file may exceed this number of
//                                                  bytes. Then reads what is stored.
//     kill  file|sqlite FILE kill|tear NUMBER      at most 300 turns, killed at the call of this number that changes a file,
//                                                  or after half of the write of this number
//
// `file-synchronized` instead of `file` waits for the disk in each turn.
//
// A turn appends the event of its number and removes the one five before it, together with the number as the state. It is
// printed after it was committed.
import EventDelivery
import EventDeliverySQLite
import FaultyDisk
import Foundation

// The test needs the process id to kill it.
print(getpid())
let words = CommandLine.arguments
let file = words[3]
let store: any EventStore =
    switch words[2] {
    case "file": FileEventStore(file: file)
    case "file-synchronized": FileEventStore(file: file, synchronization: .everyCommit)
    default: SQLiteEventStore(file: file)
    }
let number = words.count > 5 ? Int(words[5]) ?? 0 : 0
let folder = strdup(URL(fileURLWithPath: file).deletingLastPathComponent().resolvingSymlinksInPath().path)

func event(_ turn: Int64) -> StoredEvent {
    let body = "{\"turn\":\(turn),\"text\":\"\(String(repeating: "x", count: 400))\"}"
    let stamp = EventStamp(id: EventID(), time: EventTime(milliseconds: turn))
    return StoredEvent(sequence: turn, event: CapturedEvent(stamp, kind: "turn", to: "a", body: Array(body.utf8)))
}

func lastTurn() throws -> Int64 {
    var last: Int64 = 0
    try store.readAll { last = max(last, $0.sequence) }
    return last
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

_ = try store.load()
var turn = try lastTurn()
print("ready")
fflush(nil)
if words.count > 4 {
    switch words[4] {
    case "write": FaultyDisk_arm(folder, FaultyDiskWrite, number)
    case "sync": FaultyDisk_arm(folder, FaultyDiskSync, number)
    case "kill": FaultyDisk_arm(folder, FaultyDiskKill, number)
    case "tear": FaultyDisk_arm(folder, FaultyDiskTear, number)
    default: limitSize(number)
    }
}
let end = turn + 300
do {
    while words[1] == "write" || turn < end {
        var changes = StoreChanges()
        changes.append = [event(turn + 1)]
        if turn % 2 == 0 {
            changes.remove = [turn - 4, turn - 3]
            changes.state = Array(String(turn + 1).utf8)
        }
        try store.commit(changes)
        turn += 1
        print("stored \(turn)")
        // A kill must not lose the line.
        fflush(nil)
    }
    print("failed never")
} catch {
    print("failed \(error)")
}
print("read \(try lastTurn())")
