import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A device and the org over HTTP: sessions, regular sync and upload.
@Suite(.serialized)
struct RegularSyncOverHTTPTests {
    /// A device that is logged in as user 1, and another user of the org.
    private struct Scene {
        let server: OrgServer
        let store = MemoryRecordStore()
        let sync: RecordSync
        let device: RESTClient
        let other: RESTClient
        let tokens: MemoryTokenStorage

        init(records: Int, faults: [OrgFault] = []) async throws {
            var org = Org()
            org.users[.user(2)] = OrgUser(.user(2), name: "ada")
            org.settings.minimumPageSize = 5
            org.settings.maximumPageSize = 5
            org.settings.rotatesRefreshTokens = true
            for fault in faults { _ = org.faults.add(fault) }
            let start = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000) - 60_000)
            for number in 0..<records {
                let now = ServerDate(millisecondsSince1970: start.millisecondsSince1970 + Int64(number))
                _ = try org.create("Account", ["Name": .string("name \(number)")], by: .user(2), at: now)
            }
            let rest = OrgREST(sessions: ["other": .user(2)])
            let mine = rest.logIn(.user(1), clientID: "app", &org, at: start)
            var options = OrgServer.Options()
            options.onPush = { _ in }
            server = try await OrgServer.start(OrgWorld(org, rest: rest), options)
            let url = try #require(URL(string: server.url))
            // The org does not know the access token, so the first call renews it.
            tokens = MemoryTokenStorage(
                OAuthTokens(instance: url, accessToken: "old", refreshToken: mine.refreshToken))
            let app = OAuthApp(tokenAddress: url.appendingPathComponent("services/oauth2/token"), clientID: "app")
            device = RESTClient(session: try OAuthSession(app, storage: tokens))
            other = RESTClient { _ in ServerSession(instance: url, accessToken: "other") }
            sync = RecordSync(
                objects: [SyncObject("Account", fields: ["Name", "Type"])], fetcher: device, store: store)
        }

        func regularSync() async -> RegularSyncReport {
            await sync.regularSync(
                of: "Account", from: device,
                now: ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000)), until: Scene.later)
        }

        func upload() async -> UploadReport { await sync.upload("Account", to: device, until: Scene.later) }

        static var later: DispatchMoment { SystemDispatchClock().now().advanced(byMilliseconds: 60_000) }

        func atServer() async throws -> [String: String] {
            var request = QueryRequest(
                object: "Account", fields: ["Id", "Name"], orderField: "", timeoutMilliseconds: 20_000)
            var names: [String: String] = [:]
            repeat {
                let page = try await other.query(request)
                for record in page.records { names[record.id.description] = record.fields["Name"]?.string }
                request.next = page.next
            } while request.next != nil
            return names
        }

        func here() async -> [String: String] {
            let records = await store.records(of: "Account")
            return Dictionary(
                uniqueKeysWithValues: records.map { ($0.key.description, $0.fields["Name"]?.string ?? "") })
        }

        /// An automatic process of the org changes a record, which moves `SystemModstamp` alone.
        func runFlow(_ id: RecordID, name: String) async throws {
            var call = URLRequest(url: try #require(URL(string: server.url + "/simulator/edit")))
            call.httpMethod = "POST"
            call.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let edit: JSONValue = [
                "user": "ada", "source": "flow",
                "records": [["id": .string("\(id)"), "fields": ["Name": .string(name)]]],
            ]
            call.httpBody = Data(edit.compactBytes)
            let (body, response) = try await URLSession.shared.data(for: call)
            #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(String(decoding: body, as: UTF8.self))")
        }

        func write(_ writes: [RecordWrite]) async throws {
            for write in writes {
                _ = try await other.write([write], of: "Account", timeoutMilliseconds: 20_000)
            }
        }
    }

    @Test func `the regular sync makes both stores equal, through pages, changes and deletions`() async throws {
        let scene = try await Scene(records: 23)
        let first = await scene.regularSync()
        #expect(first.state == .done && first.changed == 23)
        #expect(try await scene.atServer() == (await scene.here()))
        // The refresh token was replaced, and the new one is stored.
        #expect(await scene.tokens.load()?.accessToken != "old")

        let ids = await scene.store.records(of: "Account").compactMap(\.key.id)
        try await scene.write([
            .update(ids[3], ["Name": "changed"], unmodifiedSince: nil), .delete(ids[4]),
            .create(["Name": "new"]),
        ])
        let second = await scene.regularSync()
        #expect(second.state == .done && second.changed == 3)
        let here = await scene.here()
        #expect(try await scene.atServer() == here)
        #expect(here.count == 23 && here.values.contains("new") && here[ids[3].description] == "changed")
        #expect(await scene.regularSync().changed == 0)
        await scene.server.stop()
    }

    @Test func `a regular sync fetches changes that only a flow made`() async throws {
        let scene = try await Scene(records: 3)
        #expect(await scene.regularSync().changed == 3)
        let id = try #require(await scene.store.records(of: "Account").first?.key.id)
        try await scene.runFlow(id, name: "by a flow")
        #expect(await scene.regularSync().changed == 1)
        #expect(await scene.here()[id.description] == "by a flow")
        await scene.server.stop()
    }

    @Test func `a regular sync fetches a pushed record again without changing the store`() async throws {
        let scene = try await Scene(records: 3)
        #expect(await scene.regularSync().changed == 3)
        let id = try #require(await scene.store.records(of: "Account").first?.key.id)
        try await scene.write([.update(id, ["Name": "changed"], unmodifiedSince: nil)])
        let mark = await scene.store.progress(of: "Account").mark
        let dispatcher = PushDispatcher(handler: scene.sync, pending: scene.store)
        let push = Push(json: Data(#"{"type":"ACCOUNT_UPDATE","accountId":"\#(id)"}"#.utf8))
        #expect(await dispatcher.handle(push, from: .background) == .newData)
        #expect(await scene.store.progress(of: "Account").mark == mark)
        let before = await scene.store.records(of: "Account")
        let report = await scene.regularSync()
        #expect(report.state == .done && report.changed == 0)
        #expect(await scene.store.records(of: "Account").map(\.fields) == before.map(\.fields))
        // It was fetched: the mark, which the push did not move, is now after it.
        #expect(await scene.store.progress(of: "Account").mark != mark)
        await scene.server.stop()
    }

    @Test(arguments: [
        OrgFault(.expireToken, match: .init(path: "/query"), count: 3),
        OrgFault(.disconnect(afterBytes: 100), match: .init(path: "/query"), count: 2),
        OrgFault(.disconnect(afterBytes: nil), match: .init(path: "/deleted"), count: 1),
        OrgFault(.losePage, match: .init(path: "/query"), count: 2),
        OrgFault(.refuse(status: 503, code: "SERVER_UNAVAILABLE"), match: .init(path: "/query"), count: 2),
        OrgFault(.refuse(status: 414, code: "URI_TOO_LONG"), match: .init(method: "GET", path: "/query"), count: 1),
        OrgFault(.reachLimit, match: .init(path: "/query"), count: 1),
    ])
    func `a complete pass makes both stores equal after any broken one`(fault: OrgFault) async throws {
        let scene = try await Scene(records: 23, faults: [fault])
        var report = await scene.regularSync()
        var tries = 1
        while report.state != .done, tries < 8 {
            report = await scene.regularSync()
            tries += 1
        }
        #expect(report.state == .done)
        #expect(try await scene.atServer() == (await scene.here()))
        await scene.server.stop()
    }

    @Test func `edits are uploaded, a conflict stays, and their echo is not new data`() async throws {
        let scene = try await Scene(records: 7)
        _ = await scene.regularSync()
        let records = await scene.store.records(of: "Account")
        for index in 0..<3 {
            try await scene.store.edit(records[index].key, of: "Account") { $0["Name"] = .string("edited \(index)") }
        }
        try await scene.store.delete(records[3].key, of: "Account")
        try await scene.store.create(["Name": "made here"], of: "Account")
        let conflict = try #require(records[2].key.id)
        try await scene.write([.update(conflict, ["Name": "by somebody else"], unmodifiedSince: nil)])

        let report = await scene.upload()
        #expect(report.state == .done && report.uploaded == 4)
        #expect(report.conflicts == [.server(conflict)])
        let atServer = try await scene.atServer()
        #expect(
            atServer[records[0].key.description] == "edited 0" && atServer[records[1].key.description] == "edited 1")
        #expect(atServer[conflict.description] == "by somebody else")
        #expect(atServer[records[3].key.description] == nil && atServer.values.contains("made here"))

        #expect(await scene.regularSync().changed == 0)
        var here = await scene.here()
        #expect(here.removeValue(forKey: conflict.description) == "edited 2")
        #expect(here == atServer.filter { $0.key != conflict.description })
        // Edited again without a fetch in between.
        try await scene.store.edit(records[0].key, of: "Account") { $0["Name"] = "edited again" }
        #expect(await scene.upload().uploaded == 1)
        await scene.server.stop()
    }

    @Test func `a device is added to the org's registry and removed again`() async throws {
        let scene = try await Scene(records: 0)
        let id = try await scene.device.register(
            DeviceRegistration(hexDeviceToken: String(repeating: "AB", count: 32), bundleID: "com.example.app"))
        let devices = scene.server.read { Array($0.org.devices.values) }
        #expect(devices.map(\.id) == [id])
        #expect(devices.first?.connectionToken == String(repeating: "ab", count: 32))
        try await scene.device.unregister(id)
        #expect(scene.server.read { $0.org.devices.isEmpty })
        await scene.server.stop()
    }
}
