import Foundation
import OptimizationSimulator
import PersonalizationSimulator
import PushDispatch
import ServiceHost
import ServiceSQLite
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server with a store that cannot be written.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    @Test func `a request that cannot be stored did not happen, and with space again requests are answered`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteServiceStore(path: folder.appendingPathComponent("service.sqlite").path, of: .decisions)
        defer { store.close() }
        var options = ServiceServer.Options()
        options.store = store
        let world = try ServiceWorld.opened(.standard(), isManual: nil, from: store, real: 1_778_231_730_120)
        let server = try await ServiceServer.start(world, options)
        let body = #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"home_hero"}]}"#
        func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> (status: Int, body: String) {
            var request = URLRequest(url: try #require(URL(string: server.url + path)))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            request.setValue("application/json", forHTTPHeaderField: "content-type")
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let (data, response) = try await session.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }
        #expect(try await call("POST", "/personalization/decisions", body).status == 200)
        try store.limitGrowth(toPages: 0)
        var stored = 1
        var refused = 0
        // Small changes still fit into pages that are there.
        for _ in 0..<60 where refused < 2 {
            let answer = try await call("POST", "/personalization/decisions", body)
            if answer.status == 200 { stored += 1 } else { refused += 1 }
            #expect([200, 500].contains(answer.status))
            if answer.status == 500 { #expect(answer.body.contains("the disk is full; free some space")) }
        }
        #expect(refused == 2)
        #expect(try await call("POST", "/api/reset").status == 507)
        #expect(server.read { $0.service.decisions.records.count } == stored, "what was refused did not happen")
        try store.limitGrowth(toPages: nil)
        #expect(try await call("POST", "/personalization/decisions", body).status == 200)
        #expect(server.read { $0.service.decisions.records.count } == stored + 1)
        #expect(server.read { $0.service.credits } == stored + 1)
        await server.stop()
    }

    @Test func `the optimization services answer what changes nothing while the disk is full`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("service.sqlite").path
        let store = try SQLiteServiceStore(path: file, of: .optimization)
        defer { store.close() }
        let world = try OptimizationWorld.opened(.standard(), isManual: true, from: store, real: 1_778_231_730_120)
        let configuration = world.service.configuration
        let profiles = "/v2/organizations/\(configuration.clientID)/environments/master/profiles"
        let entries = "/spaces/\(configuration.space)/environments/master/entries"
        let headers = [
            "authorization": "Bearer \(configuration.accessToken)", "content-type": "application/json",
        ]
        let state = try WorldState<OptimizationWorld>(world, store)
        func status(_ method: String, _ path: String, _ query: String = "", _ body: String = "") -> Int {
            let request = ServiceRequest(method, path, query: query, headers: headers, body: Array(body.utf8))
            return state.answer(request).response.status
        }
        let page = #"{"events":[{"type":"page"}]}"#
        #expect(status("POST", profiles + "/a", "", page) == 200)
        try store.limitGrowth(toPages: 0)
        // More than a page of the file has, so that there is soon no space for it.
        let long = String(repeating: "x", count: 4_000)
        let traits = #"{"events":[{"type":"identify","userId":"u","traits":{"a":"\#(long)","b":"\#(long)"}}]}"#
        let refused = (0..<60).contains { status("POST", profiles + "/p-\($0)", "", traits) == 500 }
        #expect(refused)
        #expect(status("GET", profiles + "/a") == 200)
        #expect(status("POST", profiles + "/a", "type=preflight", page) == 200)
        #expect(status("GET", entries) == 200)
        #expect(status("POST", "/api/faults", "", #"{"effect":{"status":503},"count":1}"#) == 507)
    }
}
