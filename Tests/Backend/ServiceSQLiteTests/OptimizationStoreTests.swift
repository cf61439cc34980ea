import Foundation
import OptimizationSimulator
import PushDispatch
import ServiceHost
import ServiceSQLite
import Testing

/// The state of the optimization services in a file.
struct OptimizationStoreTests {
    private static let now: Int64 = 1_778_231_730_120

    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("optimization.sqlite").path)
    }

    /// Services whose changes are written after each request, as the server does.
    private struct Session {
        let store: SQLiteServiceStore
        var world: OptimizationWorld

        init(_ path: String) throws {
            store = try SQLiteServiceStore(path: path, of: .optimization)
            world = try OptimizationWorld.opened(.standard(), isManual: true, from: store, real: now)
            try save()
        }

        mutating func save() throws { try store.write(world.stored(world.takeChanges())) }

        mutating func call(_ method: String, _ path: String, _ body: String = "") throws -> String {
            let request = ServiceRequest(
                method, path, headers: ["content-type": "application/json"], body: Array(body.utf8))
            let response = world.answer(request, real: now).response
            try save()
            #expect((200..<300).contains(response.status), "\(String(decoding: response.body, as: UTF8.self))")
            return String(decoding: response.body, as: UTF8.self)
        }

        mutating func send(_ id: String, _ number: Int, _ event: String) throws -> String {
            let client = world.service.configuration.clientID
            let message = "00000000-0000-4000-8000-00000000000\(number)"
            return try call(
                "POST", "/v2/organizations/\(client)/environments/master/profiles/\(id)",
                #"{"events":[{"messageId":"\#(message)",\#(event)}]}"#)
        }
    }

    private static let controls = ["/api/profiles", "/api/events", "/api/experiences", "/api/state", "/api/faults"]

    @Test func `everything is there after a restart, and goes on as without one`() throws {
        try withFile { path in
            var first = try Session(path)
            _ = try first.send(
                "a", 1, #""type":"identify","userId":"u","traits":{"plan":"gold","n":1.5,"l":[1,null,{"x":true}]}"#)
            _ = try first.send("b", 2, #""type":"page""#)
            _ = try first.send("b", 3, #""type":"alias","userId":"u""#)
            _ = try first.send(
                "c", 4, #""type":"component","componentId":"hero","experienceId":"exp-1","variantIndex":1"#)
            _ = try first.call(
                "POST", "/api/faults", #"{"match":{"path":"entries"},"effect":{"status":503},"count":3}"#)
            let before = try OptimizationStoreTests.controls.map { try first.call("GET", $0) }
            var continued = first
            first.store.close()

            var second = try Session(path)
            #expect(try OptimizationStoreTests.controls.map { try second.call("GET", $0) } == before)
            #expect(try second.send("b", 1, #""type":"page""#).contains(#""id":"a""#), "merged ids lead there")
            #expect(second.world.service.events.repeats == 1, "message ids are known")
            let made = try second.send("d", 5, #""type":"page""#)
            // The numbers that are drawn go on too; the store of the first session is closed.
            let request = ServiceRequest(
                "POST",
                "/v2/organizations/\(continued.world.service.configuration.clientID)/environments/master/profiles/d",
                headers: ["content-type": "application/json"],
                body: Array(#"{"events":[{"messageId":"00000000-0000-4000-8000-000000000005","type":"page"}]}"#.utf8))
            #expect(
                made
                    == String(
                        decoding: continued.world.answer(request, real: OptimizationStoreTests.now).response.body,
                        as: UTF8.self))
            second.store.close()
        }
    }

    @Test func `a deleted profile stays deleted, and a reset empties the file`() throws {
        try withFile { path in
            var first = try Session(path)
            let client = first.world.service.configuration.clientID
            _ = try first.send("a", 1, #""type":"page""#)
            _ = try first.send("b", 2, #""type":"page""#)
            _ = try first.call("DELETE", "/v2/organizations/\(client)/environments/master/profiles/a")
            first.store.close()
            var second = try Session(path)
            #expect(second.world.service.profiles.count == 1 && second.world.service.profiles["a"] == nil)
            _ = try second.call("POST", "/api/reset")
            second.store.close()
            let third = try Session(path)
            #expect(third.world.service.profiles.count == 0 && third.world.service.events.entries.isEmpty)
            third.store.close()
        }
    }

    @Test func `a profile that is deleted under an equivalent spelling of its id stays deleted`() throws {
        try withFile { path in
            var first = try Session(path)
            let client = first.world.service.configuration.clientID
            _ = try first.send("zo%C3%AB", 1, #""type":"page""#)
            _ = try first.send("zoe%CC%88", 2, #""type":"page""#)
            #expect(first.world.service.profiles.count == 1, "both spellings are one id")
            first.store.close()
            var second = try Session(path)
            #expect(second.world.service.profiles.count == 1)
            _ = try second.call("DELETE", "/v2/organizations/\(client)/environments/master/profiles/zoe%CC%88")
            second.store.close()
            let third = try Session(path)
            #expect(third.world.service.profiles.count == 0)
            third.store.close()
        }
    }

    @Test func `the file of another service is not taken`() throws {
        try withFile { path in
            try SQLiteServiceStore(path: path, of: .decisions).close()
            let error = #expect(throws: ServiceStoreError.self) {
                try SQLiteServiceStore(path: path, of: .optimization)
            }
            #expect(error?.code == .foreign && error?.detail.contains("an optimization service") == true)
        }
    }

    @Test func `a damaged document is an error and not a crash`() throws {
        try withFile { path in
            let first = try Session(path)
            var changes = StoredChanges()
            changes.rows = [StoredRow(kind: "profile", space: "", key: Array("x".utf8), document: Array("{}".utf8))]
            try first.store.write(changes)
            first.store.close()
            let store = try SQLiteServiceStore(path: path, of: .optimization)
            defer { store.close() }
            #expect(throws: ServiceStoreError.self) {
                try OptimizationWorld.opened(.standard(), isManual: nil, from: store, real: 0)
            }
        }
    }
}
