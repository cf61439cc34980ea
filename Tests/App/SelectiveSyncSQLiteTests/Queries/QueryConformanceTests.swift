import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import TestSeeds
import Testing

/// Both stores answer every query alike. The store in memory evaluates conditions one by one; SQLite uses statements and indexes.
struct QueryConformanceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: TestSeed.all(0..<60))
    func `both stores answer random queries alike`(seed: TestSeed) async throws {
        var random = RandomQueries(seed)
        let indexes = random.indexes()
        let memory = MemoryRecordStore(search: ["Account": ["A", "Owner.A"]])
        let file = folder.file("store")
        var store = try SQLiteStore(file: file, indexes: indexes)
        for round in 0..<3 {
            for _ in 0..<25 {
                let record = random.record()
                await memory.put(record, of: random.chance(1, in: 10) ? "Contact" : "Account")
                for object in ["Account", "Contact"] {
                    guard let kept = await memory.record(exact: record.key, of: object) else { continue }
                    try await store.put(kept, of: object)
                }
            }
            if round == 1 {
                // Other indexes, on records that exist.
                try store.close()
                store = try SQLiteStore(file: file, indexes: random.indexes())
            }
            try await store.waitForIndexes()
            for _ in 0..<60 { try await compare(random.query(), memory, store) }
        }
        try await store.check()
    }

    /// Compares all pages and the count.
    private func compare(_ query: RecordQuery, _ memory: MemoryRecordStore, _ store: SQLiteStore) async throws {
        #expect(try await store.count(query) == memory.count(query), "\(query)")
        var query = query
        for _ in 0..<6 {
            let (one, two) = (try await memory.records(query), try await store.records(query))
            guard one == two else {
                Issue.record("\(query)\n\(one.records.map(\.key))\n\(two.records.map(\.key))")
                return
            }
            query.after = one.next
            query.offset = 0
            if one.next == nil { return }
        }
    }

    /// Changes by every way that changes records, while queries are observed in both stores.
    @Test(arguments: TestSeed.all(0..<30))
    func `both stores observe alike`(seed: TestSeed) async throws {
        var random = RandomQueries(seed)
        let memory = MemoryRecordStore(search: ["Account": ["A", "Owner.A"]])
        let store = try SQLiteStore(file: folder.file("store"), indexes: random.indexes())
        let queries = (0..<4).map { _ in random.query() }
        var observations = queries.map {
            (memory: memory.observe($0).makeAsyncIterator(), file: store.observe($0).makeAsyncIterator())
        }
        var shown = [(RecordList, RecordList)?](repeating: nil, count: queries.count)
        for _ in 0..<15 {
            try await change(&random, memory, store)
            for (index, query) in queries.enumerated() {
                let wanted = try await memory.records(query).records
                #expect(try await store.records(query).records == wanted)
                // A result that has not changed does not come again.
                if let former = shown[index], Array(former.0) == wanted { continue }
                var (one, two): (RecordList, RecordList)
                repeat {
                    one = try #require(try await observations[index].memory.next())
                } while Array(one) != wanted
                repeat {
                    two = try #require(try await observations[index].file.next())
                } while Array(two) != wanted
                shown[index] = (one, two)
            }
        }
    }

    private func change(_ random: inout RandomQueries, _ memory: MemoryRecordStore, _ store: SQLiteStore) async throws {
        let record = random.record()
        switch random.number(0..<6) {
        case 0, 1:
            await memory.put(record, of: "Account")
            try await store.put(record, of: "Account")
        case 2, 3:
            let answers = (0..<random.number(1..<4)).map { number -> FetchedRecord in
                let id = RecordID.test(number)
                return random.chance(1, in: 4) ? .missing(id) : .record(ServerRecord(id: id, fields: random.fields()))
            }
            _ = try await memory.merge(MergeBatch("Account", answers))
            _ = try await store.merge(MergeBatch("Account", answers))
        case 4:
            let (fields, isDeleted) = (random.fields(), random.chance(1, in: 3))
            let body: @Sendable (inout RecordChange) -> Void = { change in
                if isDeleted, change.record?.delete() == false { change.record = nil }
                change.record?.edit { $0.merge(fields) { _, new in new } }
            }
            _ = try await memory.change([record.key], of: "Account", body)
            _ = try await store.change([record.key], of: "Account", body)
        default:
            guard let sent = await memory.record(exact: record.key, of: "Account") else { return }
            let id = sent.key.id == nil ? RecordID.test(random.number(0..<40)) : nil
            let outcome: UploadOutcome = sent.changes.contains(.deleted) ? .remove : .clean(id: id, nil)
            try await memory.uploaded(sent, outcome, of: "Account")
            try await store.uploaded(sent, outcome, of: "Account")
        }
    }
}

extension MemoryRecordStore {
    fileprivate func record(exact key: RecordKey, of object: String) -> LocalRecord? {
        record(key, of: object).flatMap { $0.key == key ? $0 : nil }
    }
}
