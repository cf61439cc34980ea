import PushDispatch
import SelectiveSync
import Testing

/// Transactions that commit with stamps from their start.
struct LateCommitTests {
    private let server = FakeServer()
    private let store = MemoryRecordStore()
    private let sync: RecordSync

    init() {
        sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store, clock: StillClock())
    }

    @discardableResult
    private func run(_ policy: RegularSyncPolicy = RegularSyncPolicy()) async -> RegularSyncReport {
        await sync.regularSync(
            of: "Account", from: server, policy: policy, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
    }

    private func names() async -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: await store.records(of: "Account").map {
                ($0.key.description, $0.fields["Name"]?.string ?? "")
            })
    }

    private static let minute: Int64 = 60_000

    @Test(arguments: [1, 60_000, 599_999, 600_000])
    func `what a transaction of up to ten minutes commits arrives with the next pass`(duration: Int64) async {
        await server.put(1, "old")
        await server.put(2, "old")
        await server.tick(Self.minute)
        let start = await server.now
        await server.tick(duration - 1)
        await server.put(3, "committed at once")
        await run()
        await server.tick(1)
        await server.put(1, "committed late", at: start)
        await server.put(4, "made late", at: start)
        await server.tick(Self.minute)
        await server.forgetCalls()
        #expect(await run().changed == 2)
        #expect(await names() == (await server.names()))
        #expect(await server.fetched == [.test(1), .test(4)], "only what differs is fetched")
        #expect(await run().changed == 0)
    }

    @Test func `a deletion that is committed late arrives with the next pass`() async {
        for number in 1...3 { await server.put(number, "old") }
        await server.tick(Self.minute)
        await run()
        let start = await server.now
        await server.tick(9 * Self.minute)
        await run()
        await server.tick(1)
        await server.delete(2, at: start)
        await server.tick(2 * Self.minute)
        #expect(await run().changed == 1)
        #expect(await names() == (await server.names()))
    }

    @Test func `a deletion that is committed late, and that the server has forgotten, is found by comparing ids`() async
    {
        for number in 1...3 { await server.put(number, "old") }
        await server.tick(10 * Self.minute)
        await run()
        let start = await server.now - 5 * Self.minute
        await server.set(deletionsKnownSince: await server.now - Self.minute)
        await server.tick(Self.minute)
        await server.delete(2, at: start)
        await server.forgetCalls()
        #expect(await run().changed == 1)
        #expect(await names() == (await server.names()))
        #expect(await server.fetched.isEmpty, "nothing is fetched again for it")
    }

    @Test func `a burst of 500 equal stamps is not fetched again`() async {
        await server.set(pageSize: 2_000)
        await server.tick(Self.minute)
        for number in 1...500 { await server.put(number, "loaded") }
        await server.tick(Self.minute)
        #expect(await run().changed == 500)
        await server.forgetCalls()
        let again = await run()
        #expect(again.changed == 0 && again.requests == 2)
        #expect(await server.calls == ["list", "deletions"])
        #expect(await server.fetched.isEmpty)
    }

    @Test func `changes after the mark are queried with all fields, not fetched by id`() async {
        for number in 1...3 { await server.put(number, "old") }
        await server.tick(Self.minute)
        await run()
        for number in 2...5 { await server.put(number, "new") }
        await server.tick(Self.minute)
        await server.forgetCalls()
        #expect(await run().changed == 4)
        #expect(
            await server.calls == ["list", "query", "next", "deletions"], "the first page of ids shows the later ones")
        #expect(await server.fetched.isEmpty)
        #expect(await names() == (await server.names()))
    }

    @Test func `a list of ids is continued after an interruption`() async {
        for number in 1...8 { await server.put(number, "old") }
        await server.tick(Self.minute)
        await server.put(9, "recent")
        await run()
        for number in 1...8 { await server.put(number, "committed late", at: await server.now - Self.minute / 2) }
        await server.forgetCalls()
        // The second page of ids.
        await server.set(faults: [3: FetchError(.network, advice: .retryLater, "x")])
        let broken = await run()
        #expect(broken.state == .failed && broken.changed == 3)
        await server.set()
        await server.forgetCalls()
        #expect(await run().changed == 5)
        #expect(await server.calls.first == "next")
        #expect(await server.fetched == (4...8).map { .test($0) })
        #expect(await names() == (await server.names()))
    }

    @Test func `a list whose next page is refused starts again where all records have arrived`() async {
        for number in 1...8 {
            await server.tick(1_000)
            await server.put(number, "old")
        }
        await server.tick(Self.minute)
        await server.put(9, "recent")
        await run()
        await server.put(8, "committed late", at: await server.now - Self.minute / 2)
        await server.interrupt(call: await server.calls.count + 2) { $0.forgetLocators() }
        #expect(await run().state == .done)
        #expect(await names() == (await server.names()))
    }

    @Test func `a batch of listed records is stored before the next is fetched`() async {
        await server.set(pageSize: 2_000)
        for number in 1...5 { await server.put(number, "old") }
        await server.tick(Self.minute)
        await server.put(9, "recent")
        await run()
        for number in 1...5 { await server.put(number, "committed late", at: await server.now - Self.minute / 2) }
        await server.forgetCalls()
        await server.set(faults: [4: FetchError(.network, advice: .retryLater, "x")])
        var policy = RegularSyncPolicy()
        policy.ghostBatch = 2
        let broken = await run(policy)
        #expect(broken.state == .failed && broken.changed == 4)
        await server.set()
        await server.forgetCalls()
        #expect(await run(policy).changed == 1)
        #expect(await server.fetched == [.test(5)])
    }

    @Test func `a record that becomes visible without a change arrives with the comparison of all ids`() async {
        for number in 1...3 { await server.put(number, "old") }
        await server.tick(24 * 60 * Self.minute)
        await server.put(9, "recent")
        await run()
        await server.put(4, "shared now", at: await server.now - 3 * 60 * Self.minute)
        await server.tick(Self.minute)
        #expect(await run().changed == 0)
        await server.tick(24 * 60 * Self.minute)
        #expect(await run().changed == 1)
        #expect(await names() == (await server.names()))
    }

    @Test func `a dirty record that was changed late has the other fields of the server`() async throws {
        await server.put(1, "old", ["Phone": "1"])
        await server.tick(Self.minute)
        await run()
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        await server.put(1, "theirs", at: await server.now - 1)
        await run()
        let record = try #require(await store.record(.test(1), of: "Account"))
        #expect(record.fields["Name"] == "mine" && record.conflict?.theirs?["Name"] == "theirs")
    }
}
