import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import Synchronization
import Testing

/// More changes than one push can name: one push leads to a regular sync over HTTP, and the store equals the org.
struct RegularSyncRequestOverHTTPTests {
    @Test func `a push without records leads to a fetch of all changes`() async throws {
        var account = OrgObject.account
        account.trigger = PushTrigger(
            "ACCOUNTS", form: .grouped(idsKey: "recordIds"), watched: [.init("Name", token: "Name")])
        account.trigger?.overflow = .regularSync
        var org = Org(objects: [account])
        let now = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000) - 60_000)
        let ids = try (0..<200).map { number in
            try org.create("Account", ["Name": .string("old \(number)")], by: .user(1), at: now)
        }
        let sent = PushLog()
        let server = try await OrgServer.start(
            org, port: 0, sessions: ["good": .user(1)], onPush: { pushes in sent.add(pushes) })
        let url = try #require(URL(string: server.url))
        let client = RESTClient { _ in ServerSession(instance: url, accessToken: "good") }
        let store = MemoryRecordStore()
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: client, store: store)
        let dispatcher = PushDispatcher(
            routes: PushRoutes([
                .regularSync(sync, from: client) {
                    ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
                }
            ]), pending: store)

        try server.update(ids.map { Org.Change($0, ["Name": "new"]) }, by: .user(1))
        let push = try #require(sent.all.first)
        #expect(sent.all.count == 1 && push.records.count == 200)
        #expect(await dispatcher.handle(Push(bytes: push.payload), from: .background) == .newData)
        let records = await store.records(of: "Account")
        #expect(records.count == 200 && records.allSatisfy { $0.fields["Name"] == "new" })
        #expect(await store.objectsToSync().isEmpty)
        await server.stop()
    }

    private final class PushLog: Sendable {
        private let pushes = Mutex<[OutgoingPush]>([])

        var all: [OutgoingPush] { pushes.withLock { $0 } }

        func add(_ new: [OutgoingPush]) { pushes.withLock { $0 += new } }
    }
}
