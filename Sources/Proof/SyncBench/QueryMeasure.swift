import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

/// Queries and observations on 100,000 records in SQLite: by an index, by words, and the CPU time of an observation after one
/// change. What observing costs is the difference to the same changes without an observation.
enum QueryMeasure {
    private static let count = 100_000
    private static let cities = ["Jena", "Kraków", "Lyon", "Ulm", "Gent", "Oslo", "Bern", "Riga", "Brno", "Faro"]

    static func measure() async throws {
        try await Bench.withFolder { folder in
            let file = folder.appendingPathComponent("store").path
            let start = Bench.residentBytes()
            Bench.resetPeak()
            let plain = try SQLiteStore(file: file)
            let filling = try await fill(plain)
            try plain.close()
            Bench.show("merge-without-index-records-per-second", Double(count) / filling, "1/s")
            let store = try SQLiteStore(file: file, indexes: indexes)
            let building = try await Bench.seconds { try await store.waitForIndexes() }
            Bench.show("create-three-indexes-and-search", building * 1_000, "ms")
            let before = Bench.residentBytes()
            try await query(store)
            let unobserved = try await observe(store)
            Bench.show("memory-of-queries", Double(Bench.residentBytes() - before) / 1_048_576, "MiB", limit: 50)
            let peak = Bench.peakBytes() - start
            Bench.show("peak-memory-with-100000-records", Double(peak) / 1_048_576, "MiB", limit: 64)
            try await observeAll(store, unobserved)
            try store.close()
            let indexed = try SQLiteStore(file: folder.appendingPathComponent("indexed").path, indexes: indexes)
            let slower = try await fill(indexed)
            Bench.show("merge-with-three-indexes-and-search-per-second", Double(count) / slower, "1/s")
        }
    }

    private static let indexes = QueryIndexes(
        [
            RecordIndex("Account", ["City", "Name"]), RecordIndex("Account", [RecordField("Name").ignoringCase]),
            RecordIndex("Account", [RecordField("LastModifiedDate").asDate]),
        ], search: ["Account": ["Name", "City"]])

    private static func record(_ number: Int, name: String? = nil) -> ServerRecord {
        var record = Bench.record(number)
        record.fields["Name"] = .string(name ?? "Clinic \(number % 5_000) of \(number)")
        record.fields["City"] = .string("\(cities[number % cities.count]) \(number % 1_000)")
        record.fields["Employees"] = .integer(Int64(number % 777))
        return record
    }

    /// - Returns: The CPU time of the merges in seconds.
    private static func fill(_ store: SQLiteStore) async throws -> Double {
        var seconds = 0.0
        for start in stride(from: 0, to: count, by: 2_000) {
            let batch = MergeBatch("Account", (start..<start + 2_000).map { .record(record($0)) })
            seconds += try await Bench.processorSeconds { _ = try await store.merge(batch) }
        }
        return seconds
    }

    private static func query(_ store: SQLiteStore) async throws {
        let city = RecordField("City"), name = RecordField("Name")
        let byCity = RecordQuery("Account", where: city == "Lyon 2", order: [.ascending(name)], limit: 100)
        try await show("query-by-index-100-records", store, byCity, count: 100, limit: 5)
        let sorted = RecordQuery("Account", order: [.descending(name.ignoringCase)], limit: 100)
        try await show("query-first-page-sorted", store, sorted, count: 100, limit: 5)
        var late = sorted
        late.limit = 1_000
        for _ in 0..<50 { late.after = try await store.records(late).next }
        late.limit = 100
        try await show("query-page-in-the-middle", store, late, count: 100, limit: 5)
        // 20 with the word 4711, and ten with a word that begins with it.
        let found = RecordQuery("Account", where: .search("clinic 4711"), limit: 100)
        try await show("search-two-words", store, found, count: 30)
        let scan = RecordQuery("Account", where: RecordField("Employees") == 5, limit: 100)
        try await show("query-without-index", store, scan, count: 100)
        let none = RecordQuery("Account", where: RecordField("Employees") == 5_000, limit: 100)
        try await show("query-all-records-without-index", store, none, count: 0)
        let counting = try await Bench.fastest(of: 20) { _ = try await store.count(byCity) }
        Bench.show("count-by-index", counting * 1_000, "ms", limit: 5)
    }

    private static func show(
        _ measure: String, _ store: SQLiteStore, _ query: RecordQuery, count: Int, limit: Double? = nil
    ) async throws {
        let seconds = try await Bench.fastest(of: 20) {
            let found = try await store.records(query).records.count
            guard found == count else { fatalError("\(measure): \(found) records instead of \(count)") }
        }
        Bench.show(measure, seconds * 1_000, "ms", limit: limit)
    }

    /// The records of one page.
    ///
    /// - Returns: The CPU time of a change without an observation, in seconds.
    private static func observe(_ store: SQLiteStore) async throws -> Double {
        let unobserved = try await change(store, 200) {}
        var results = store.observe(page).makeAsyncIterator()
        try await expect(100, results.next()?.count)
        let inside = try await change(store, 200) { _ = try await results.next() }
        Bench.show("observe-query-after-one-change-cpu", (inside - unobserved) * 1_000, "ms", limit: 2)
        let outside = try await change(store, 200, from: 50_000) {}
        Bench.show("observe-query-other-record-cpu", (outside - unobserved) * 1_000, "ms", limit: 2)
        var records = store.observe(.server(Bench.id(0)), of: "Account").makeAsyncIterator()
        try await expect(1, records.next().map { _ in 1 })
        let both = try await change(store, 200, from: 50_000) {}
        Bench.show("observe-query-and-record-other-record-cpu", (both - unobserved) * 1_000, "ms", limit: 2)
        return unobserved
    }

    /// All records as one result.
    private static func observeAll(_ store: SQLiteStore, _ unobserved: Double) async throws {
        let before = Bench.residentBytes()
        var all = page
        all.limit = .max
        var results = store.observe(all).makeAsyncIterator()
        try await expect(count, results.next()?.count)
        let whole = try await change(store, 100) { _ = try await results.next() }
        Bench.show("observe-100000-records-after-one-change-cpu", (whole - unobserved) * 1_000, "ms", limit: 2)
        Bench.show("memory-of-100000-observed-records", Double(Bench.residentBytes() - before) / 1_048_576, "MiB")
    }

    private static var page: RecordQuery {
        RecordQuery("Account", order: [.ascending(RecordField("Name").ignoringCase)], limit: 100)
    }

    private static func expect(_ wanted: Int, _ found: Int?) {
        guard found == wanted else { fatalError("\(found ?? 0) records instead of \(wanted)") }
    }

    /// The CPU time of one edit. Names that differ in each run change the order too.
    private static func change(
        _ store: SQLiteStore, _ changes: Int, from first: Int = 0, _ wait: () async throws -> Void
    ) async throws -> Double {
        run += 1
        let start = Bench.processorSeconds()
        for number in 0..<changes {
            let name = first == 0 ? "Aa \(run) \(number)" : "Zz \(run) \(number)"
            try await store.edit(.server(Bench.id(first + number % 50)), of: "Account") { $0["Name"] = .string(name) }
            try await wait()
        }
        return (Bench.processorSeconds() - start) / Double(changes)
    }

    nonisolated(unsafe) private static var run = 0
}
