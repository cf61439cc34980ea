import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

struct QueryObservationTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(
            file: folder.file("store"),
            indexes: QueryIndexes([RecordIndex("Account", ["Name"])], search: ["Account": ["Name"]]))
    }

    private static let query = RecordQuery("Account", where: RecordField("Name") < "m", order: [.ascending("Name")])

    private func put(_ number: Int, _ name: String) async throws {
        try await store.put(LocalRecord(.test(number, name: name)), of: "Account")
    }

    private func names(_ list: RecordList?) -> [String]? { list?.compactMap { $0.fields["Name"]?.string } }

    @Test func `only changes of the result are delivered`() async throws {
        try await put(1, "a")
        var results = store.observe(Self.query).makeAsyncIterator()
        #expect(try names(await results.next()) == ["a"])
        try await put(2, "z")
        try await put(1, "a")
        try await store.put(LocalRecord(.test(3, name: "b")), of: "Contact")
        try await put(4, "c")
        // Each of the changes before would have come first.
        #expect(try names(await results.next()) == ["a", "c"])
    }

    @Test func `a transaction that fails delivers nothing`() async throws {
        var results = store.observe(Self.query).makeAsyncIterator()
        #expect(try names(await results.next()) == [])
        await #expect(throws: SyncStoreError.noRecord) {
            _ = try await store.change([.server(.test(1))], of: "Account") { change in
                change.record = LocalRecord(.test(1, name: "lost"))
                guard change.record == nil else { throw SyncStoreError.noRecord }
            }
        }
        try await put(2, "b")
        #expect(try names(await results.next()) == ["b"])
    }

    @Test func `a large batch is delivered as one result`() async throws {
        var results = store.observe(Self.query).makeAsyncIterator()
        #expect(try names(await results.next()) == [])
        let answers = (0..<500).map { FetchedRecord.record(.test($0, name: "a\($0 % 10)")) }
        _ = try await store.merge(MergeBatch("Account", answers))
        #expect(try await results.next()?.count == 500)
    }

    @Test func `another user's records end in an empty result`() async throws {
        try await store.logIn("a", discardingEdits: false)
        try await put(1, "a")
        var results = store.observe(Self.query).makeAsyncIterator()
        var records = store.observe(.server(.test(1)), of: "Account").makeAsyncIterator()
        #expect(try names(await results.next()) == ["a"])
        #expect(try await records.next() != .some(nil))
        try await store.logIn("b", discardingEdits: true)
        #expect(try names(await results.next()) == [])
        #expect(try await records.next() == .some(nil))
    }

    @Test func `erasing ends in an empty result, and so does the log-in that follows`() async throws {
        try await store.logIn("a", discardingEdits: false)
        try await put(1, "a")
        var results = store.observe(Self.query).makeAsyncIterator()
        var records = store.observe(.server(.test(1)), of: "Account").makeAsyncIterator()
        #expect(try names(await results.next()) == ["a"])
        #expect(try await records.next() != .some(nil))
        try await store.erase(discardingEdits: true)
        try await store.logIn("b", discardingEdits: false)
        try await put(2, "b")
        var list = try await results.next()
        while let now = list, now.isEmpty { list = try await results.next() }
        #expect(names(list) == ["b"])
        #expect(try await records.next() == .some(nil))
    }

    @Test func `an observed query that SQLite refuses ends with the error`() async throws {
        let store = try SQLiteStore(file: folder.file("plain"))
        let other = try DatabaseQueue(path: folder.file("plain"))
        try await other.write { try $0.execute(sql: "ALTER TABLE record RENAME TO hidden") }
        let results = store.observe(Self.query)
        await #expect(throws: (any Error).self) { for try await _ in results {} }
    }

    @Test func `an edit, its upload and its deletion are seen under the local key`() async throws {
        let key = try await store.create(["Name": "a"], of: "Account")
        var records = store.observe(key, of: "Account").makeAsyncIterator()
        #expect(try await records.next()??.key == key)
        let sent = try await store.change([key], of: "Account") { change in
            let unsent = change.record?.unsent()
            change.record?.sent = unsent
            return change.record
        }[0]
        #expect(try await records.next()??.sent != nil)
        try await store.uploaded(#require(sent), .clean(id: .test(1), nil), of: "Account")
        #expect(try await records.next()??.key == .server(.test(1)))
        try await put(2, "other")
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "b"))]))
        var name: String?
        while name != "b" { name = try #require(try await records.next())?.fields["Name"]?.string }
        try await store.delete(key, of: "Account")
        let deleted = try #require(try await store.record(key, of: "Account"))
        try await store.uploaded(deleted, .remove, of: "Account")
        while try #require(try await records.next()) != nil {}
    }

    @Test func `an observed search follows`() async throws {
        var results = store.observe(RecordQuery("Account", where: .search("al"))).makeAsyncIterator()
        #expect(try names(await results.next()) == [])
        try await put(1, "Beta")
        try await put(2, "Álpha")
        #expect(try names(await results.next()) == ["Álpha"])
    }

    @Test func `a slow reader gets the newest result`() async throws {
        var results = store.observe(Self.query).makeAsyncIterator()
        #expect(try names(await results.next()) == [])
        for number in 0..<20 { try await put(number, "a\(number)") }
        var count = 0
        while count < 20 { count = try #require(try await results.next()).count }
    }

    @Test func `a cancelled task ends its observation`() async throws {
        let stream = store.observe(Self.query)
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in stream { signal.yield() }
        }
        for await _ in started { break }
        #expect(store.isObserved)
        task.cancel()
        try await task.value
        #expect(!store.isObserved)
        try await put(1, "a")
    }

    @Test func `a closed store ends its observations with an error`() async throws {
        try store.close()
        var results = store.observe(Self.query).makeAsyncIterator()
        await #expect(throws: (any Error).self) { try await results.next() }
    }
}
