import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// How SQLite runs queries. A plan that reads or sorts all records fails the test, whatever time it takes.
struct QueryPlanTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    private static let at = RecordField("At").asDate
    private static let indexes = QueryIndexes(
        [
            RecordIndex("Account", ["Type"]), RecordIndex("Account", ["Type", "Name"]),
            RecordIndex("Account", [RecordField("Name").ignoringCase]),
            RecordIndex("Account", [at]), RecordIndex("Contact", ["Name"]),
        ], search: ["Account": ["Name"]])

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(file: folder.file("store"), indexes: Self.indexes)
    }

    private static let type = RecordField("Type") == "Customer"
    private static let name = RecordField("Name")
    private static let date = ServerDate(millisecondsSince1970: 5)

    private static let indexed: [RecordQuery] = [
        RecordQuery("Account", where: type),
        RecordQuery("Account", where: type, order: [.ascending("Name")]),
        RecordQuery("Account", where: type, order: [.descending("Name")]),
        RecordQuery("Account", where: type && name > "m", order: [.descending("Type"), .ascending("Name")]),
        RecordQuery("Account", where: name.ignoringCase.hasPrefix("No"), order: [.ascending(name.ignoringCase)]),
        RecordQuery("Account", order: [.descending(name.ignoringCase)]),
        RecordQuery("Account", where: RecordField("At") > .date(date), order: [.ascending(at)]),
        RecordQuery("Account", where: RecordField("At") <= .date(date), order: [.descending(at)]),
        RecordQuery("Account", where: RecordField("Type") == nil, order: [.ascending("Name")]),
        RecordQuery("Contact", where: name == "x"),
    ]

    @Test(arguments: indexed)
    func `a query by a declared index neither scans nor sorts`(query: RecordQuery) async throws {
        try await store.waitForIndexes()
        let plan = try await store.plan(of: query)
        #expect(plan.count == 1)
        let isBounded = query.condition != .always
        #expect(plan[0].hasPrefix("\(isBounded ? "SEARCH" : "SCAN") record USING INDEX app_index_"), "\(plan)")
    }

    @Test(arguments: indexed.filter { !$0.order.isEmpty })
    func `a later page starts at its first record`(query: RecordQuery) async throws {
        try await store.waitForIndexes()
        for value: JSONValue in [.null, "x"] {
            let at: JSONValue = value == .null ? .null : "2026-05-20"
            let last = LocalRecord(.server(.test(1)), fields: ["Type": value, "Name": value, "At": at])
            var query = query
            query.after = RecordPlace(behind: last, in: query)
            let plan = try await store.plan(of: query)
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH record USING INDEX app_index_") }, "\(plan)")
        }
    }

    @Test func `a search, edits and keys have their own ways`() async throws {
        try await store.waitForIndexes()
        let search = try await store.plan(of: RecordQuery("Account", where: .search("x") && Self.type))
        #expect(search[0] == "SEARCH record USING INTEGER PRIMARY KEY (rowid=?)", "\(search)")
        let dirty = try await store.plan(of: RecordQuery("Account", where: .isDirty && Self.type))
        #expect(dirty[0].contains("USING INDEX dirty"), "\(dirty)")
        let all = try await store.plan(of: RecordQuery("Account"))
        #expect(all == ["SEARCH record USING INDEX sqlite_autoindex_record_1 (object=?)"])
    }

    @Test(arguments: [RecordField("Type").isIn([]), .or([]), RecordField("Type") < nil, !.always])
    func `a condition that nothing meets keeps the index`(never: RecordCondition) async throws {
        try await store.waitForIndexes()
        try await store.put(LocalRecord(.server(.test(1)), fields: ["Type": "Customer"]), of: "Account")
        let query = RecordQuery("Account", where: Self.type && never)
        #expect(try await store.plan(of: query)[0].contains("app_index_"))
        #expect(try await store.records(query).records.isEmpty)
        #expect(try await store.count(query) == 0)
    }

    @Test func `a query without an index is answered, and its plan shows it`() async throws {
        try await store.put(LocalRecord(.server(.test(1)), fields: ["City": "Jena"]), of: "Account")
        let query = RecordQuery("Account", where: RecordField("City") == "Jena", order: [.ascending("City")])
        #expect(try await store.records(query).records.count == 1)
        #expect(try await store.plan(of: query).allSatisfy { !$0.contains("app_index_") })
    }

    @Test func `the indexes of a file are those of the last declaration`() async throws {
        try await store.waitForIndexes()
        let query = RecordQuery("Contact", where: Self.name == "x")
        #expect(try await store.plan(of: query)[0].contains("app_index_"))
        try store.close()
        let next = try SQLiteStore(
            file: folder.file("store"), indexes: QueryIndexes([RecordIndex("Contact", ["City"])]))
        try await next.waitForIndexes()
        #expect(try await !next.plan(of: query)[0].contains("app_index_"))
        #expect(
            try await next.plan(of: RecordQuery("Contact", where: RecordField("City") == 1))[0].contains("app_index_"))
        await #expect(throws: RecordQueryError.self) {
            try await next.records(RecordQuery("Account", where: .search("x")))
        }
        #expect(try await next.declaredNamesInFile().count == 1)
    }

    @Test func `names that differ by case are different indexes`() async throws {
        let store = try SQLiteStore(
            file: folder.file("other"),
            indexes: QueryIndexes([RecordIndex("A", ["n"]), RecordIndex("A", ["N"]), RecordIndex("A", ["n"])]))
        try await store.waitForIndexes()
        #expect(try await store.declaredNamesInFile().count == 2)
    }

    @Test func `an index that cannot exist is refused`() throws {
        for indexes in [
            QueryIndexes([RecordIndex("A", ["x') --"])]), QueryIndexes([RecordIndex("A'", ["x"])]),
            QueryIndexes([RecordIndex("A", [String]())]), QueryIndexes(search: ["A": []]),
            QueryIndexes(search: ["A": ["\""]]),
        ] {
            #expect(throws: RecordQueryError.self) { try SQLiteStore(file: folder.file("other"), indexes: indexes) }
        }
    }

    @Test func `the largest query that is allowed is answered`() async throws {
        let store = MemoryRecordStore(search: ["Account": ["Name"]])
        var deep = RecordCondition.always
        for _ in 0..<9 { deep = !(.and([deep, .isDirty])) }
        let wide = RecordCondition.or((0..<150).map { RecordField("F\($0)") > .integer(Int64($0)) })
        let list = RecordField("Name").isIn((0..<1_800).map { .integer(Int64($0)) })
        let words = RecordCondition.search((0..<32).map { "w\($0)" }.joined(separator: " "))
        for condition in [.and([wide, list, words]), deep] {
            var query = RecordQuery("Account", where: condition, order: (0..<8).map { .ascending("O\($0)") })
            query.after = RecordPlace(behind: LocalRecord(.server(.test(1)), fields: [:]), in: query)
            #expect(try await store.records(query).records.isEmpty)
            #expect(try await self.store.records(query).records.isEmpty)
        }
    }
}
