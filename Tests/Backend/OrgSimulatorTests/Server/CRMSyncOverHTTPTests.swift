import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// A `CRMSync` with its real session and REST client against the org, from log-in to log-out.
@Suite(.serialized)
struct CRMSyncOverHTTPTests {
    private struct Scene {
        let server: OrgServer
        let url: URL
        let store = MemoryRecordStore()
        let tokens: [OAuthTokens]
        let crm: CRMSync

        /// An org with an account, and tokens of two users.
        init() async throws {
            var org = Org()
            let now = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
            _ = try org.create("Account", ["Name": "Northwind"], by: .user(1), at: now)
            let rest = OrgREST()
            let granted = [1, 2].map { rest.logIn(.user($0), clientID: "app", &org, at: now) }
            server = try await OrgServer.start(OrgWorld(org, rest: rest), OrgServer.Options())
            let url = try #require(URL(string: server.url))
            self.url = url
            tokens = granted.map {
                OAuthTokens(instance: url, accessToken: $0.accessToken, refreshToken: $0.refreshToken)
            }
            var configuration = CRMSync.Configuration(
                app: OAuthApp(tokenAddress: url.appendingPathComponent("services/oauth2/token"), clientID: "app"),
                tokens: MemoryTokenStorage(), store: StoreOpener(store),
                objects: [SyncObject("Account", fields: ["Name"])])
            configuration.registration = CRMSync.Registration(
                bundleID: "com.example.agent", storage: MemoryRegistrationStorage())
            crm = try CRMSync(configuration)
        }

        var devices: [OrgDevice] { server.read { Array($0.org.devices.values) } }
    }

    @Test func `log-in, first sync, edit, change of user and log-out`() async throws {
        let scene = try await Scene()
        let crm = scene.crm
        await crm.received(deviceToken: [UInt8](repeating: 0xAB, count: 32))
        try await crm.logIn("one", tokens: scene.tokens[0])
        #expect(await crm.refresh().isDone)
        let record = try #require(await scene.store.records(of: "Account").first)
        #expect(record.fields["Name"] == "Northwind")
        await crm.cameToForeground()

        try await crm.edit(record.key, of: "Account") { $0["Name"] = "Southwind" }
        #expect(await crm.upload()["Account"]?.uploaded == 1)
        #expect(await scene.store.dirtyRecords(of: "Account").isEmpty)

        try await crm.logIn("two", tokens: scene.tokens[1])
        #expect(await crm.refresh().isDone)
        #expect(await scene.store.records(of: "Account").map { $0.fields["Name"] } == ["Southwind"])
        await crm.received(deviceToken: [UInt8](repeating: 0xAB, count: 32))
        #expect(Set(scene.devices.map(\.user)) == [.user(2)])

        try await crm.logOut()
        #expect(scene.devices.isEmpty)
        #expect(await crm.refresh().problem == .loggedOut)
        #expect(crm.status.phase == .loggedOut)
        await scene.server.stop()
    }
}
