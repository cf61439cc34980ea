// What tools/bench/sync runs: the app libraries' own work, one line of JSON for each measure. A release build.
import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

/// The fastest of some runs, in seconds: the machine can only add to it.
func fastest(of runs: Int, _ work: () async throws -> Void) async rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
        let start = ContinuousClock.now
        try await work()
        let duration = ContinuousClock.now - start
        let parts = duration.components
        best = min(best, Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
    }
    return best
}

func show(_ name: String, _ value: Double, _ unit: String, limit: Double, isFloor: Bool = false) {
    let holds = isFloor ? value >= limit : value <= limit
    print(
        "{\"measure\":\"\(name)\",\"value\":\(String(format: "%.3f", value)),\"unit\":\"\(unit)\","
            + "\"limit\":\(limit),\"holds\":\(holds)}")
}

func id(_ number: Int) -> RecordID {
    let digits = String(number)
    return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
}

/// Memory in use, from the system; 0 where it does not tell.
func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}

let account = SyncObject("Account", fields: ["Name", "OwnerId", "Type"])

// 10,000 hints, each of a push of its own, become a plan.
do {
    let hints = (0..<10_000).map { [id($0 % 9_000)] }
    let seconds = await fastest(of: 10) {
        var core = SyncCore(objects: [account], policy: SyncPolicy())
        for (number, records) in hints.enumerated() {
            _ = core.receive(
                records, of: "Account", mark: PendingMark(number: Int64(number)),
                stopAt: DispatchMoment(milliseconds: 24_000), at: DispatchMoment(milliseconds: 0))
        }
        let starts = core.next(at: DispatchMoment(milliseconds: 100))
        precondition(starts.first?.fetch.records.count == 2_000)
    }
    show("gather-10000-hints", seconds * 1_000, "ms", limit: 50)
}

// One push, from the system's dictionary to the handler and back.
do {
    struct Handler: HintHandler {
        func handle(_ hint: Hint, _ context: HandlerContext) -> HandlerReport { HandlerReport(changed: 1) }
    }
    let dispatcher = PushDispatcher(handler: Handler(), pending: MemoryPendingStore())
    let payloads = (0..<1_000).map { number -> [AnyHashable: Any] in
        [
            "aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": id(number).description,
            "changedFields": "Name, Owner",
        ]
    }
    let seconds = await fastest(of: 20) {
        for payload in payloads { _ = await dispatcher.handle(Push(userInfo: payload), from: .background) }
    }
    show("dispatch-one-push", seconds / 1_000 * 1_000_000, "us", limit: 50)
}

// 10,000 records into SQLite, against bare inserts of the same bytes.
do {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let records = (0..<10_000).map { number in
        ServerRecord(
            id: id(number),
            fields: [
                "Id": .string(id(number).description), "Name": "Northwind Clinic", "OwnerId": "005xx000001X8UzAAK",
                "Type": "Customer", "LastModifiedDate": "2026-05-20T20:49:32.000+0000",
                "SystemModstamp": "2026-05-20T20:49:32.000+0000",
            ])
    }
    let batches = stride(from: 0, to: records.count, by: 2_000).map { start in
        MergeBatch("Account", records[start..<start + 2_000].map { .record($0) })
    }
    let bytes = records.map { record in (record.id.description, Data(JSONValue.object(record.fields).compactBytes)) }
    var number = 0
    var ratios: [Double] = []
    var rates: [Double] = []
    for _ in 0..<5 {
        number += 1
        let store = try SQLiteStore(file: folder.appendingPathComponent("store-\(number)").path)
        let merge = try await fastest(of: 1) { for batch in batches { _ = try await store.merge(batch) } }
        let bare = try DatabasePool(path: folder.appendingPathComponent("bare-\(number)").path)
        try bare.write {
            try $0.execute(
                sql: "CREATE TABLE record (number INTEGER PRIMARY KEY, object TEXT NOT NULL, key TEXT NOT NULL, "
                    + "fields BLOB NOT NULL, UNIQUE (object, key))")
        }
        let insert = try await fastest(of: 1) {
            for start in stride(from: 0, to: bytes.count, by: 2_000) {
                try await bare.write { db in
                    let statement = try db.cachedStatement(
                        sql: "INSERT INTO record (object, key, fields) VALUES (?, ?, ?)")
                    for (key, fields) in bytes[start..<start + 2_000] {
                        try statement.execute(arguments: ["Account", key, fields])
                    }
                }
            }
        }
        ratios.append(insert / merge)
        rates.append(10_000 / merge)
    }
    show("merge-records-per-second", rates.sorted()[2], "1/s", limit: 0, isFloor: true)
    show("merge-against-bare-inserts", ratios.sorted()[2], "ratio", limit: 0.5, isFloor: true)
}

// 100,000 hints that wait.
do {
    let before = residentBytes()
    var policy = SyncPolicy()
    policy.maximumPending = 100_000
    var core = SyncCore(objects: [account], policy: policy)
    var list = PendingList(maximumRecords: 100_000)
    for number in 0..<100_000 {
        let record = id(number)
        let mark = list.keep(Hint(type: "T", object: "Account", records: [record]))
        _ = core.load([PendingRecord(record, mark: mark ?? .start)], of: "Account")
    }
    precondition(core.pendingCount == 100_000 && list.count == 100_000)
    show("memory-of-100000-hints", Double(residentBytes() - before) / 1_048_576, "MiB", limit: 50)
}
