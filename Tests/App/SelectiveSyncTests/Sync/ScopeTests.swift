import PushDispatch
import SelectiveSync
import Testing

/// The user's part of the data: filter and fields.
struct ScopeTests {
    private let server = FakeServer()
    private let store = MemoryRecordStore()
    private let object: SyncObject
    private let sync: RecordSync

    private static let north = RecordFilter.field("Territory__c", .equal, "North")
    private static let south = RecordFilter.field("Territory__c", .equal, "South")

    init() {
        var object = SyncObject("Account", fields: ["Name", "Territory__c"])
        object.filter = Self.north
        self.object = object
        sync = RecordSync(objects: [object], fetcher: server, store: store, clock: StillClock())
    }

    /// An app that starts again, perhaps in another version.
    private func restarted(_ change: (inout SyncObject) -> Void = { _ in }) -> RecordSync {
        var object = object
        change(&object)
        return RecordSync(objects: [object], fetcher: server, store: store, clock: StillClock())
    }

    @discardableResult
    private func run(_ sync: RecordSync? = nil, checksGhosts: Bool = false) async -> RegularSyncReport {
        await (sync ?? self.sync).regularSync(
            of: "Account", from: server, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000), checksGhosts: checksGhosts)
    }

    private func push(_ number: Int) async -> HandlerReport {
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        return await sync.handle(Hint(type: "T", object: "Account", records: [.test(number)]), context)
    }

    private func put(_ number: Int, _ territory: String, name: String = "old") async {
        await server.put(number, name, ["Territory__c": .string(territory)])
    }

    /// Four accounts of the north and three of the south, and a first pass.
    private func begin() async {
        await setScope("North")
        for number in 1...4 { await put(number, "North") }
        for number in 5...7 { await put(number, "South") }
        await server.tick(60_000)
        #expect(await run().state == .done)
    }

    private func setScope(_ territory: String) async {
        await server.setScope { $0.fields["Territory__c"] == .string(territory) }
    }

    private func numbers() async -> [Int] {
        let ids = await store.records(of: "Account").compactMap(\.key.id)
        return (1...9).filter { ids.contains(.test($0)) }
    }

    @Test func `only records that match the filter are fetched`() async {
        await begin()
        #expect(await numbers() == [1, 2, 3, 4])
    }

    @Test func `a record that leaves the scope is removed by the next pass, and one that enters it is fetched`() async {
        await begin()
        await put(2, "South", name: "moved")
        await put(6, "North", name: "moved")
        await server.tick(60_000)
        let report = await run()
        #expect(report.state == .done && report.changed == 2)
        #expect(await numbers() == [1, 3, 4, 6])
        #expect(await run().changed == 0)
    }

    @Test func `a record that leaves the scope late is removed`() async {
        await begin()
        await server.tick(60_000)
        await run()
        await server.put(2, "moved", at: await server.now - 30_000, ["Territory__c": "South"])
        await server.tick(1_000)
        await run()
        #expect(await numbers() == [1, 3, 4])
    }

    @Test func `records that leave the scope among many changes are found by comparing all ids`() async {
        await begin()
        await put(2, "South", name: "moved")
        // More than one page of changes in the org.
        for number in 10...19 { await put(number, "West") }
        await server.tick(60_000)
        await server.forgetCalls()
        await run()
        #expect(await numbers() == [1, 3, 4])
        #expect(await server.fetched.isEmpty)
    }

    @Test func `a record with edits stays when it leaves the scope, without a conflict`() async throws {
        await begin()
        try await store.edit(.server(.test(2)), of: "Account") { $0["Name"] = "mine" }
        await put(2, "South", name: "moved")
        await server.tick(60_000)
        await run()
        await run(checksGhosts: true)
        let record = try #require(await store.record(.test(2), of: "Account"))
        #expect(record.isDirty && !record.isGone && record.conflict == nil)
        #expect(record.fields["Name"] == "mine")
    }

    @Test func `a hint for a record out of scope stores nothing and removes what is stored`() async {
        await begin()
        #expect(await push(6).result == .noData)
        #expect(await numbers() == [1, 2, 3, 4])
        await put(2, "South", name: "moved")
        #expect(await push(2).result == .newData)
        #expect(await numbers() == [1, 3, 4])
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }

    @Test func `a record that leaves the scope is removed even where missing records are marked`() async throws {
        let sync = restarted { $0.rules.missing = .mark }
        await setScope("North")
        for number in 1...3 { await put(number, "North") }
        await server.tick(60_000)
        await run(sync)
        await put(1, "South")
        await server.hide(2)
        await server.tick(60_000)
        await run(sync, checksGhosts: true)
        #expect(await numbers() == [2, 3])
        #expect(await store.record(.test(2), of: "Account")?.isGone == true)
    }

    @Test func `a changed filter fetches what is missing and removes the rest`() async throws {
        await begin()
        try await store.edit(.server(.test(4)), of: "Account") { $0["Name"] = "mine" }
        await setScope("South")
        await server.forgetCalls()
        let sync = restarted { $0.filter = Self.south }
        #expect(await run(sync).changed == 6)
        #expect(await numbers() == [4, 5, 6, 7], "the record with an edit stays")
        #expect(await server.fetched == [.test(5), .test(6), .test(7)])
        await server.forgetCalls()
        #expect(await run(sync).changed == 0)
        #expect(await server.fetched.isEmpty)
    }

    @Test func `a filter that changes while the app runs drops the pass that is running`() async {
        await setScope("North")
        for number in 1...4 { await put(number, "North") }
        for number in 5...7 { await put(number, "South") }
        let report = await sync.regularSync(
            of: "Account",
            from: ActingSource(server, before: { $0.next != nil }) { [sync, server] in
                await server.setScope { $0.fields["Territory__c"] == "South" }
                await sync.setFilter(Self.south, of: "Account")
            }, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .done)
        #expect(await numbers() == [5, 6, 7])
    }

    @Test func `a filter that changed while a pass was interrupted begins a new pass`() async {
        await setScope("North")
        for number in 1...4 { await put(number, "North") }
        for number in 5...9 { await put(number, "South") }
        await server.set(faults: [2: FetchError(.network, advice: .retryLater, "x")])
        #expect(await run().changed == 3)
        await server.set()
        await setScope("South")
        let sync = restarted { $0.filter = Self.south }
        #expect(await run(sync).state == .done)
        #expect(await numbers() == [5, 6, 7, 8, 9])
    }

    @Test func `an answer that was fetched with a former filter is dropped`() async {
        await begin()
        await setScope("South")
        let gate = GatedFetcher(server)
        let sync = RecordSync(objects: [object], fetcher: gate, store: store, clock: StillClock())
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        await gate.hold { await sync.setFilter(nil, of: "Account") }
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        // The former filter did not match the record; without a filter it exists.
        #expect(await store.record(.test(1), of: "Account") != nil)
        #expect(await gate.filters == [Self.north, nil])
    }

    @Test func `a new field is fetched for the records that are stored already`() async throws {
        await setScope("North")
        for number in 1...4 {
            await server.put(number, "old", ["Territory__c": "North", "Phone": .integer(Int64(number))])
        }
        await server.tick(86_400_000 / 2)
        await run()
        try await store.edit(.server(.test(4)), of: "Account") { $0["Name"] = "mine" }
        await server.tick(60_000)
        let update = restarted { $0.fields.append("Phone") }
        await run(update)
        let records = await store.records(of: "Account")
        #expect(records.map { $0.fields["Phone"] } == [1, 2, 3, 4])
        #expect(records[3].fields["Name"] == "mine" && records[3].conflict == nil)
        // Once: the next pass lists nothing that differs.
        await server.forgetCalls()
        await run(update)
        #expect(await server.calls.contains("query") == false)
        // A field less is no reason to fetch anything.
        await run(sync)
        #expect(await server.fetched.isEmpty)
    }

    @Test func `a field that one version of the app leaves out is fetched again for the next one`() async {
        await setScope("North")
        await server.put(1, "old", ["Territory__c": "North", "Phone": 1])
        await server.tick(60_000)
        await run(restarted { $0.fields.append("Phone") })
        // This version gets a push, and its regular sync never runs.
        await server.put(1, "new", ["Territory__c": "North", "Phone": 2])
        #expect(await push(1).result == .newData)
        #expect(await store.records(of: "Account").map { $0.fields["Phone"] } == [nil])
        await server.tick(60_000)
        await run(restarted { $0.fields.append("Phone") })
        #expect(await store.records(of: "Account").map { $0.fields["Phone"] } == [2])
    }

    @Test func `a new field that comes while a filter is being reconciled does not end the comparison`() async {
        await begin()
        await setScope("South")
        await server.forgetCalls()
        await server.set(faults: [2: FetchError(.network, advice: .retryLater, "x")])
        let first = restarted { $0.filter = Self.south }
        #expect(await run(first).state == .failed)
        await server.set()
        let second = restarted {
            $0.filter = Self.south
            $0.fields.append("Phone")
        }
        #expect(await run(second).state == .done)
        #expect(await numbers() == [5, 6, 7])
    }

    @Test func `a resync fetches all records again and removes what is gone`() async throws {
        await server.set(pageSize: 2_000)
        await begin()
        await server.tick(3_600_000)
        // Changes that no regular sync can see.
        await server.put(1, "changed behind the mark", at: 1_000, ["Territory__c": "North"])
        let stamp = try #require(await store.record(.test(3), of: "Account")?.fields["SystemModstamp"]?.string)
        await store.put(LocalRecord(.test(3, name: "wrong", at: stamp)), of: "Account")
        await server.hide(2)
        #expect(await run().changed == 0)
        try await sync.resync("Account")
        #expect(await run().state == .done)
        #expect(await numbers() == [1, 3, 4])
        // An older version does not replace a newer one.
        #expect(await store.record(.test(1), of: "Account")?.fields["Name"] == "old")
        #expect(await store.record(.test(3), of: "Account")?.fields["Name"] == "old")
    }

    @Test func `a resync during a pass begins a new one`() async throws {
        await setScope("North")
        for number in 1...4 { await put(number, "North") }
        await server.forgetCalls()
        let done = Shared(false)
        _ = await sync.regularSync(
            of: "Account",
            from: ActingSource(server, before: { $0.next != nil }) { [sync] in
                guard !done.value else { return }
                done.change { $0 = true }
                try? await sync.resync("Account")
            }, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(await server.calls.filter { $0 == "query" }.count == 2)
        #expect(await numbers() == [1, 2, 3, 4])
    }
}

/// Runs an action before the first answer of a fetch.
private actor GatedFetcher: RecordFetcher {
    private let server: FakeServer
    private var act: (@Sendable () async -> Void)?
    private(set) var filters: [RecordFilter?] = []

    init(_ server: FakeServer) { self.server = server }

    func hold(_ act: @escaping @Sendable () async -> Void) { self.act = act }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        filters.append(request.filter)
        let answers = try await server.fetch(request)
        let act = act
        self.act = nil
        await act?()
        return answers
    }
}
