import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// A device with filters, and an org that commits late, over HTTP.
@Suite(.serialized)
struct ScopeOverHTTPTests {
    private final class Scene: Sendable {
        let server: OrgServer
        let store = MemoryRecordStore()
        let sync: RecordSync
        let device: RESTClient
        let other: RESTClient
        let accounts: [RecordID]
        let interactions: [RecordID]

        /// Accounts of user 1 and of user 2 in turn, each with an interaction.
        init(accounts count: Int, settings: (inout OrgSettings) -> Void = { _ in }) async throws {
            var org = Org()
            settings(&org.settings)
            let start = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000) - 7_200_000)
            var (accounts, interactions): ([RecordID], [RecordID]) = ([], [])
            for number in 0..<count {
                let owner = RecordID.user(1 + number % 2)
                let account = try org.create(
                    "Account", ["Name": .string("O'Neil \(number)"), "Type": "50% _"], by: owner, at: start)
                accounts.append(account)
                interactions.append(
                    try org.create(
                        "Interaction", ["Name": "I", "AccountId": .string(account.description)], by: .user(2), at: start
                    ))
            }
            (self.accounts, self.interactions) = (accounts, interactions)
            let rest = OrgREST(sessions: ["mine": .user(1), "other": .user(2)])
            var options = OrgServer.Options()
            options.onPush = { _ in }
            server = try await OrgServer.start(OrgWorld(org, rest: rest), options)
            let url = try #require(URL(string: server.url))
            let device = RESTClient { _ in ServerSession(instance: url, accessToken: "mine") }
            self.device = device
            other = RESTClient { _ in ServerSession(instance: url, accessToken: "other") }
            var account = SyncObject("Account", fields: ["Name", "Type", "OwnerId"])
            account.filter = .owner(.user(1))
            var interaction = SyncObject("Interaction", fields: ["Name", "AccountId"])
            interaction.filter = .field("Account.OwnerId", .equal, .id(.user(1)))
            sync = RecordSync(objects: [account, interaction], fetcher: device, store: store)
        }

        @discardableResult
        func regularSync(of object: String = "Account", checksGhosts: Bool = false) async -> RegularSyncReport {
            await sync.regularSync(
                of: object, from: device,
                now: ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000)), until: Scene.later,
                checksGhosts: checksGhosts)
        }

        static var later: DispatchMoment { SystemDispatchClock().now().advanced(byMilliseconds: 60_000) }

        func ids(_ object: String = "Account") async -> [RecordID] {
            await store.records(of: object).compactMap(\.key.id)
        }

        func write(_ id: RecordID, _ fields: [String: JSONValue]) async throws {
            let replies = try await other.write(
                [.update(id, fields, unmodifiedSince: nil)], of: "Account", timeoutMilliseconds: 20_000)
            #expect(replies == [.done(id: nil, nil)])
        }

        func push(_ ids: [RecordID]) async -> HandlerReport {
            let context = HandlerContext(
                stopAt: Scene.later, clock: SystemDispatchClock(), onRequest: {}, onDone: { _, _ in })
            return await sync.handle(Hint(type: "T", object: "Account", records: ids), context)
        }
    }

    private func every<Element>(_ start: Int, of all: [Element]) -> [Element] {
        stride(from: start, to: all.count, by: 2).map { all[$0] }
    }

    @Test func `own records and those of own accounts are fetched, and follow their owner`() async throws {
        let scene = try await Scene(accounts: 6)
        #expect(await scene.regularSync().state == .done)
        #expect(await scene.ids() == every(0, of: scene.accounts))
        #expect(await scene.regularSync(of: "Interaction").state == .done)
        #expect(await scene.ids("Interaction") == every(0, of: scene.interactions))

        try await scene.write(scene.accounts[0], ["OwnerId": .string(RecordID.user(2).description)])
        try await scene.write(scene.accounts[1], ["OwnerId": .string(RecordID.user(1).description)])
        #expect(await scene.regularSync().changed == 2)
        #expect(await scene.ids() == [1, 2, 4].map { scene.accounts[$0] })
        // The interactions themselves have not changed, so only the comparison of all ids sees it.
        #expect(await scene.regularSync(of: "Interaction", checksGhosts: true).changed == 2)
        #expect(await scene.ids("Interaction") == [1, 2, 4].map { scene.interactions[$0] })
    }

    @Test func `more ids than fit into one query are fetched within the filter`() async throws {
        let scene = try await Scene(accounts: 1_000)
        #expect(await scene.push(scene.accounts).changed == 500)
        #expect(await scene.ids() == every(0, of: scene.accounts))
    }

    @Test(
        arguments: [
            (RecordFilter.field("Name", .equal, "O'Neil 3"), [3]), (.hasPrefix(field: "Name", "O'Neil"), [0, 1, 2, 3]),
            (.contains(field: "Type", "0% _"), [0, 1, 2, 3]), (.contains(field: "Type", "0%x"), []), (.any([]), []),
            (.all([.all([]), .not(.field("Name", isOneOf: ["O'Neil 1", "O'Neil 2"]))]), [0, 3]),
            (
                .field(
                    "Id", isIn: "AccountId", of: "Interaction", where: .hasPrefix(field: "Account.Name", "O'Neil 2")),
                [2]
            ),
            (.field("SystemModstamp", .greaterOrEqual, .lastDays(2)), [0, 1, 2, 3]),
        ] as [(RecordFilter, [Int])])
    func `a changed filter is reconciled with the server`(filter: RecordFilter, expected: [Int]) async throws {
        let scene = try await Scene(accounts: 4)
        await scene.regularSync()
        await scene.sync.setFilter(filter, of: "Account")
        #expect(await scene.regularSync().state == .done)
        #expect(await scene.ids() == expected.map { scene.accounts[$0] })
    }

    @Test func `an own record that the user gives away is removed after its upload`() async throws {
        let scene = try await Scene(accounts: 4)
        await scene.regularSync()
        let key = RecordKey.server(scene.accounts[0])
        try await scene.store.edit(key, of: "Account") { $0["OwnerId"] = .string(RecordID.user(2).description) }
        #expect(await scene.sync.upload("Account", to: scene.device, until: Scene.later).uploaded == 1)
        _ = await scene.sync.drain(until: Scene.later)
        #expect(await scene.ids() == [scene.accounts[2]])
    }

    @Test func `an edit of a record that somebody else has moved out of scope is sent, and the record is removed`()
        async throws
    {
        let scene = try await Scene(accounts: 4)
        await scene.regularSync()
        try await scene.store.edit(.server(scene.accounts[0]), of: "Account") { $0["Name"] = "mine" }
        try await scene.write(scene.accounts[0], ["OwnerId": .string(RecordID.user(2).description)])
        await scene.regularSync()
        #expect(await scene.store.record(scene.accounts[0], of: "Account")?.conflict == nil)
        #expect(await scene.sync.upload("Account", to: scene.device, until: Scene.later).uploaded == 1)
        _ = await scene.sync.drain(until: Scene.later)
        #expect(await scene.ids() == [scene.accounts[2]])
        let there = try await scene.other.fetch(
            FetchRequest(
                object: "Account", records: [scene.accounts[0]], fields: ["Id", "Name"], timeoutMilliseconds: 20_000))
        guard case .record(let record)? = there.first else { return #expect(Bool(false), "\(there)") }
        #expect(record.fields["Name"] == "mine")
    }

    @Test func `what an org commits ten minutes late arrives`() async throws {
        let scene = try await Scene(accounts: 4) { $0.transactionTime = 600_000 }
        try await scene.write(scene.accounts[2], ["Name": "at once"])
        await scene.regularSync()
        try await scene.write(scene.accounts[0], ["Name": "late"])
        let replies = try await scene.other.write(
            [.delete(scene.accounts[2])], of: "Account", timeoutMilliseconds: 20_000)
        #expect(replies == [.done(id: nil, nil)])
        #expect(await scene.regularSync().changed == 2)
        #expect(await scene.store.records(of: "Account").map { $0.fields["Name"] } == ["late"])
    }
}
