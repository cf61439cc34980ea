import APNSModel
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

/// The org over HTTP.
@Suite(.timeLimit(.minutes(10))) struct OrgServerTests {
    private struct Answer {
        var status: Int
        var body: String
        var date: String?
    }

    private static func world() throws -> OrgWorld {
        var org = Org()
        org.users[.user(1)] = OrgUser(.user(1), name: "ada")
        _ = try org.create("Account", ["Name": "A"], by: .user(1), at: .start)
        return OrgWorld(org, rest: OrgREST(sessions: ["good": .user(1)], makeToken: RandomToken.make))
    }

    private func withServer(
        _ options: OrgServer.Options = OrgServer.Options(), _ body: (OrgServer) async throws -> Void
    ) async throws {
        let server = try await OrgServer.start(try Self.world(), options)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func call(
        _ server: OrgServer, _ method: String, _ path: String, _ body: String? = nil,
        headers: [String: String] = ["authorization": "Bearer good"]
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: server.url + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "content-type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        return Answer(
            status: http.statusCode, body: String(decoding: data, as: UTF8.self),
            date: http.value(forHTTPHeaderField: "date"))
    }

    @Test func `queries, changes and log-ins work over HTTP, and the date is the org's`() async throws {
        try await withServer { server in
            let query = try await call(server, "GET", "/services/data/v66.0/query?q=SELECT+Id+FROM+Account")
            #expect(query.status == 200 && query.body.hasPrefix(#"{"totalSize":1,"done":true"#))
            let clock = #"{"mode":"manual","now":"2026-05-20T20:49:32Z"}"#
            #expect(try await call(server, "PUT", "/simulator/clock", clock).status == 200)
            #expect(
                try await call(server, "GET", "/services/data/v66.0/limits").date == "Wed, 20 May 2026 20:49:32 GMT")
            let login = try await call(server, "POST", "/simulator/login", #"{"user":"ada"}"#)
            #expect(login.body.contains(#""instance_url":"\#(server.url)""#))
            let log = server.read { "\($0.org.log.entries())" }
            #expect(!log.contains("00Dxx!"))
        }
    }

    @Test func `a body that is too large is refused`() async throws {
        try await withServer { server in
            let body = String(repeating: " ", count: OrgREST.maximumBodyBytes + 1)
            let answer = try await call(server, "POST", "/services/data/v66.0/composite", body)
            #expect(answer.status == 413)
        }
    }

    @Test func `the client reports a broken connection, before and within the answer`() async throws {
        try await withServer { server in
            for effect in ["true", #"{"after-bytes":10}"#, #"{"after-bytes":0}"#] {
                let fault = #"{"effect":{"disconnect":\#(effect)},"match":{"path":"/query"},"count":1}"#
                #expect(try await call(server, "POST", "/simulator/faults", fault).status == 201)
                await #expect(throws: URLError.self) {
                    try await call(server, "GET", "/services/data/v66.0/query?q=SELECT+Id+FROM+Account")
                }
            }
            let after = try await call(server, "GET", "/services/data/v66.0/query?q=SELECT+Id+FROM+Account")
            #expect(after.status == 200)
        }
    }

    @Test func `a call that waits for the log is answered at the next event`() async throws {
        try await withServer { server in
            let last = server.read { $0.org.log.lastNumber }
            async let page = call(server, "GET", "/simulator/log?after=\(last)&wait=30s")
            let device = #"{"ConnectionToken":"ab12","ServiceType":"Apple","ApplicationBundle":"com.example.agent"}"#
            let path = "/services/data/v66.0/sobjects/MobilePushServiceDevice"
            let registered = try await call(server, "POST", path, device)
            #expect(registered.status == 201)
            #expect(try await page.body.contains("DEVICE_REGISTERED"))
            #expect(await server.log(after: last).map(\.event) == ["DEVICE_REGISTERED"])
        }
    }

    @Test func `web pages and other hosts' names do not reach the control API`() async throws {
        try await withServer { server in
            let page = try await call(server, "GET", "/simulator", headers: ["origin": "http://evil.example"])
            #expect(page.status == 403)
            let rebound = try await call(server, "GET", "/simulator", headers: ["host": "evil.example"])
            #expect(rebound.status == 403)
            #expect(try await call(server, "GET", "/simulator", headers: [:]).status == 200)
        }
    }

    @Test func `a control token is required when set, and always for other addresses`() async throws {
        var options = OrgServer.Options()
        options.controlToken = "a-token-that-is-long"
        try await withServer(options) { server in
            let without = try await call(server, "GET", "/simulator", headers: [:])
            #expect(without.status == 401)
            #expect(try await call(server, "GET", "/simulator").status == 401)
            let headers = ["authorization": "Bearer a-token-that-is-long"]
            #expect(try await call(server, "GET", "/simulator", headers: headers).status == 200)
        }
        var open = OrgServer.Options()
        open.host = "0.0.0.0"
        await #expect(throws: ServicePort.StartError.self) { try await OrgServer.start(try Self.world(), open) }
    }

    @Test func `starting on a port in use is an error that says so`() async throws {
        try await withServer { server in
            var options = OrgServer.Options()
            options.port = server.port
            await #expect(throws: ServicePort.StartError.self) { try await OrgServer.start(try Self.world(), options) }
        }
    }

    @Test func `notifications are delivered before the change is answered`() async throws {
        let seen = Mutex<[OrgNotification]>([])
        var options = OrgServer.Options()
        options.onNotifications = { notifications in seen.withLock { $0 += notifications } }
        let (org, id) = try Self.orgWithDevice()
        let server = try await OrgServer.start(OrgWorld(org), options)
        try server.update(id, ["Name": "B"], by: .user(1))
        await server.stop()
        #expect(seen.withLock { $0.map(\.deviceToken.hex) } == ["ab12"])
    }

    private static func orgWithDevice() throws -> (Org, RecordID) {
        var org = Org()
        org.users[.user(1)] = OrgUser(.user(1), name: "ada")
        var app = OrgApp("Agent", bundleID: try #require(Topic("com.example.agent")))
        (app.keyID, app.teamID) = ("ABC123DEFG", "ABCDE12345")
        org.apps["Agent"] = app
        let id = try org.create("Account", ["Name": "A"], by: .user(1), at: .start)
        _ = try org.register("ab12", bundleID: "com.example.agent", for: .user(1), at: .start)
        return (org, id)
    }

    @Test func `an explanation has what the gateway says of the delivery`() async throws {
        let asked = Mutex<[OrgDelivery.Question]>([])
        let sent = Mutex<[OrgNotification]>([])
        var options = OrgServer.Options()
        options.onNotifications = { notifications in sent.withLock { $0 += notifications } }
        options.askGateway = { questions in
            asked.withLock { $0 += questions }
            return [.life(uniqueID: "U"): .stage("delivered", at: "T", why: "the device is connected")]
        }
        let (org, id) = try Self.orgWithDevice()
        let server = try await OrgServer.start(OrgWorld(org), options)
        try server.update(id, ["Name": "B"], by: .user(1))
        let before = try await call(server, "GET", "/simulator/explain")
        server.answered(try #require(sent.withLock { $0.first }), .accepted(apnsID: "A", uniqueID: "U"))
        let after = try await call(server, "GET", "/simulator/explain?record=\(id)")
        await server.stop()
        #expect(before.body.contains("it has not answered yet") && !before.body.contains("delivered"))
        #expect(
            after.body.contains(#""delivery":{"stage":"delivered","time":"T","why":"the device is connected"}"#))
        #expect(asked.withLock { $0 } == [.life(uniqueID: "U")])
    }
}
