extension DoctorCheck {
    static let queuePersistence = DoctorCheck(
        id: "queue-persistence", layer: .queue,
        summary: "Jobs are on disk before the engine says that they are enqueued.",
        cause: "Redis has no append-only file by default, and syncs it once a second.",
        next:
            "set appendonly yes and appendfsync always, or accept that a crash of the engine loses the last second of jobs",
        subject: { $0.queue.flatMap(\.persistence) }
    ) { persistence in
        switch persistence {
        case .appendOnlyFile(let fsync?) where fsync == "always":
            return .pass("the append-only file is synced at each write (appendfsync always)")
        case .appendOnlyFile(let fsync?):
            return .warn(
                "the append-only file is on with appendfsync \(fsync): a crash of the machine loses what came since the last sync"
            )
        case .appendOnlyFile(nil): return .warn("the append-only file is on; how often it is synced is not said")
        case .snapshots: return .fail("the engine writes snapshots only: a crash loses all jobs since the last one")
        case .none: return .fail("the engine keeps nothing on disk: a restart loses all jobs")
        case .failing(let detail):
            return .fail(
                "the engine cannot write to its disk: \(detail)", next: "look at the disk and the log of the engine")
        case .writeAheadLog(let off) where off.isEmpty: return .pass("the write-ahead log is synced at each commit")
        case .writeAheadLog(let off):
            return .fail(
                "these settings are off: \(off.joined(separator: ", ")); a crash loses jobs that were enqueued",
                next: "set them on in postgresql.conf")
        }
    }
}
