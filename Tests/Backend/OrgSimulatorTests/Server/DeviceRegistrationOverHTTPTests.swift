import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import Synchronization
import Testing
import ServiceHost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Registration of a device over HTTP, from log-in to log-out, and batch calls.
@Suite(.serialized)
struct DeviceRegistrationOverHTTPTests {
    /// The day's API calls that each reply reported.
    private final class UsageLog: Sendable {
        private let counts = Mutex<[Int]>([])

        var all: [Int] { counts.withLock { $0 } }

        func add(_ event: RESTEvent) {
            if case .usage(let info) = event, let used = info.api?.used { counts.withLock { $0.append(used) } }
        }
    }

    /// A device that is logged in as user 1.
    private struct Scene {
        let server: OrgServer
        let client: RESTClient
        let usage: UsageLog
        let storage = MemoryRegistrationStorage()
        let registration: PushRegistration
        let url: URL
        private let refreshToken: String

        init(accounts: Int = 0) async throws {
            var org = Org()
            let now = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
            for number in 0..<accounts {
                _ = try org.create("Account", ["Name": .string("name \(number)")], by: .user(1), at: now)
            }
            let rest = OrgREST()
            let tokens = rest.logIn(.user(1), clientID: "app", &org, at: now)
            server = try await OrgServer.start(OrgWorld(org, rest: rest), OrgServer.Options())
            url = try #require(URL(string: server.url))
            refreshToken = try #require(tokens.refreshToken)
            let usage = UsageLog()
            client = RESTClient(onEvent: { usage.add($0) }) { [url] _ in
                ServerSession(instance: url, accessToken: tokens.accessToken)
            }
            self.usage = usage
            registration = PushRegistration(
                bundleID: "com.example.agent", registrar: client, storage: storage, isSimulator: false)
        }

        /// Expires the session in the org.
        @Sendable func revoke() async throws {
            var call = URLRequest(url: url.appendingPathComponent("services/oauth2/revoke"))
            call.httpMethod = "POST"
            call.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            let token = try #require(refreshToken.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            call.httpBody = Data("token=\(token)".utf8)
            let (_, response) = try await URLSession.shared.data(for: call)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }

        var devices: [OrgDevice] { server.read { Array($0.org.devices.values) } }
    }

    @Test func `log-in registers the device, activation keeps the entry, log-out removes it`() async throws {
        let scene = try await Scene()
        #expect(await scene.registration.received(deviceToken: [UInt8](repeating: 0xAB, count: 32)) == nil)
        let result = try #require(await scene.registration.loggedIn("ada"))
        guard case .registered(let id) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(scene.devices.map(\.id) == [id])
        #expect(scene.devices.map(\.connectionToken) == [String(repeating: "ab", count: 32)])
        #expect(await scene.registration.cameToForeground() == .registered(id))
        #expect(scene.devices.count == 1)
        // The request needs the session that the log-out ends, so it has to come first.
        #expect(try await scene.registration.logOut { try await scene.revoke() } == .unregistered)
        #expect(scene.devices.isEmpty)
        let query = QueryRequest(object: "Account", fields: ["Id"], orderField: "", timeoutMilliseconds: 20_000)
        await #expect { try await scene.client.query(query) } throws: { ($0 as? FetchError)?.advice == .logIn }
        await scene.server.stop()
    }

    @Test func `a log-out with an expired session succeeds`() async throws {
        let scene = try await Scene()
        await scene.registration.received(deviceToken: [1, 2])
        await scene.registration.loggedIn("ada")
        try await scene.revoke()
        let result = await scene.registration.logOut {}
        #expect(result.isSuccess && result != .unregistered)
        await scene.server.stop()
    }

    @Test func `a batch reads, changes and halts as requested`() async throws {
        let scene = try await Scene(accounts: 2)
        let ids = scene.server.read { $0.org.records(of: "Account").map(\.id) }
        func name(_ id: RecordID) -> BatchRequest {
            .record(FetchRequest(object: "Account", records: [id], fields: ["Id", "Name"], timeoutMilliseconds: 1))
        }
        let requests: [BatchRequest] = [
            .write(.update(ids[0], ["Name": "first"], unmodifiedSince: nil), of: "Account"), name(ids[0]),
            .write(.update(ids[1], ["Nope__c": 1], unmodifiedSince: nil), of: "Account"),
            .write(.delete(ids[1]), of: "Account"),
            .query(QueryRequest(object: "Account", fields: ["Id"], orderField: "", timeoutMilliseconds: 1)),
        ]
        let halting = try await scene.client.batch(requests, haltsOnError: true)
        #expect(halting[0] == .written(.done(id: nil, nil)))
        guard case .record(.record(let record)) = halting[1] else {
            Issue.record("\(halting[1])")
            return
        }
        #expect(record.fields["Name"] == "first")
        let refusal = "INVALID_FIELD (Nope__c): No such column 'Nope__c' on entity 'Account'."
        #expect(halting[2...] == [.written(.refused(refusal)), .halted, .halted])
        let whole = try await scene.client.batch(requests)
        #expect(scene.usage.all == [5, 10])
        #expect(whole[3] == .written(.done(id: nil, nil)))
        guard case .page(let page) = whole[4] else {
            Issue.record("\(whole[4])")
            return
        }
        #expect(page.records.map(\.id) == [ids[0]])
        await scene.server.stop()
    }
}
