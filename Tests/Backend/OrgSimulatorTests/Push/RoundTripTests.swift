import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// A change in the org: the device handles its push, fetches the record and merges it, without a network.
struct RoundTripTests {
    private actor Server: RecordFetcher {
        var org = Org()
        private var clock = ServerDate.start
        private let rest = OrgREST(sessions: ["good": .user(1)])
        private(set) var requests = 0

        func create(_ name: String) throws(OrgError) -> RecordID {
            try org.create("Account", ["Name": .string(name)], by: .user(1), at: clock)
        }

        func rename(_ id: RecordID, _ name: String) throws(OrgError) -> [OutgoingPush] {
            clock = clock.after(seconds: 60)
            return try org.update(id, ["Name": .string(name)], by: .user(1), at: clock)
        }

        func fetch(_ request: FetchRequest) throws(FetchError) -> [FetchedRecord] {
            requests += 1
            let call = try CollectionCall(request, version: "v66.0")
            let message = ServiceRequest(
                "POST", call.path, headers: ["authorization": "Bearer good", "content-type": "application/json"],
                body: call.body)
            let response = rest.answer(message, &org, at: clock).response
            return try call.records(
                status: response.status, body: response.body,
                limits: JSONLimits(maximumBytes: 1_000_000, maximumDepth: 32, maximumValues: 100_000))
        }
    }

    @Test func `a change becomes a push, a fetch of that one record, and new data`() async throws {
        let server = Server()
        let store = MemoryRecordStore()
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])], fetcher: server,
            store: store)
        let dispatcher = PushDispatcher(handler: sync, pending: store)

        let id = try await server.create("Before")
        _ = try await server.create("Another")
        let push = try #require(try await server.rename(id, "After").first)
        #expect(await dispatcher.handle(Push(bytes: push.payload), from: .background) == .newData)
        let records = await store.records(of: "Account")
        #expect(records.map(\.key) == [.server(id)])
        #expect(records.first?.fields["Name"] == "After")
        #expect(await server.requests == 1)
        // The same payload a second time: the record has not changed since.
        #expect(await dispatcher.handle(Push(bytes: push.payload), from: .background) == .noData)
        // A second change has the same payload, and is not lost.
        let second = try #require(try await server.rename(id, "Later").first)
        #expect(second.payload == push.payload)
        #expect(await dispatcher.handle(Push(bytes: second.payload), from: .background) == .newData)
        #expect(await store.record(id, of: "Account")?.fields["Name"] == "Later")
    }
}
