import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

/// Merges 10,000 records into SQLite, compared with bare inserts of the same bytes in the same run; then the same records
/// again, newer versions, and older ones. All in CPU time, which other load of the machine changes least.
enum MergeMeasure {
    private static let count = 10_000
    private static let runs = 9

    static func measure() async throws {
        let records = (0..<count).map { Bench.record($0) }
        let bytes = records.map { ($0.id.description, Data(JSONValue.object($0.fields).compactBytes)) }
        let first = batches(records)
        let newer = batches((0..<count).map { Bench.record($0, minute: 30) })
        var times: [String: [Double]] = [:]
        var ratios: [Double] = []
        try await Bench.withFolder { folder in
            for run in 0..<runs {
                let store = try SQLiteStore(file: folder.appendingPathComponent("store-\(run)").path)
                var seconds: [String: Double] = [:]
                for (name, batches) in [("new", first), ("unchanged", first), ("updated", newer), ("older", first)] {
                    seconds[name] = try await Bench.processorSeconds {
                        for batch in batches { _ = try await store.merge(batch) }
                    }
                }
                for (name, seconds) in seconds { times[name, default: []].append(seconds) }
                let bare = try await insertBare(bytes, folder.appendingPathComponent("bare-\(run)").path)
                times["bare", default: []].append(bare)
                ratios.append(bare / (seconds["new"] ?? 0))
            }
        }
        Bench.show("merge-against-bare-inserts", ratios.sorted()[runs / 2], "ratio", limit: 0.7, isFloor: true)
        for name in ["bare", "new", "unchanged", "updated", "older"] {
            let median = times[name, default: []].sorted()[runs / 2]
            let measure = name == "bare" ? "insert-bare-records" : "merge-\(name)-records"
            Bench.show("\(measure)-per-second", Double(count) / median, "1/s")
        }
    }

    private static func batches(_ records: [ServerRecord]) -> [MergeBatch] {
        stride(from: 0, to: records.count, by: 2_000).map { start in
            MergeBatch("Account", records[start..<start + 2_000].map { .record($0) })
        }
    }

    private static func insertBare(_ rows: [(key: String, fields: Data)], _ file: String) async throws -> Double {
        let bare = try DatabasePool(path: file)
        try await bare.write {
            try $0.execute(
                sql: "CREATE TABLE record (number INTEGER PRIMARY KEY, object TEXT NOT NULL, key TEXT NOT NULL, "
                    + "fields BLOB NOT NULL, UNIQUE (object, key))")
        }
        return try await Bench.processorSeconds {
            for start in stride(from: 0, to: rows.count, by: 2_000) {
                try await bare.write { db in
                    let statement = try db.cachedStatement(
                        sql: "INSERT INTO record (object, key, fields) VALUES (?, ?, ?)")
                    for (key, fields) in rows[start..<start + 2_000] {
                        try statement.execute(arguments: ["Account", key, fields])
                    }
                }
            }
        }
    }
}
