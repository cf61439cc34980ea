import Foundation
import GRDB
import PersonalizationSimulator
import ServiceSQLite
import PushDispatch
import ServiceHost
import Testing

/// The state of the decision service in a file.
struct SQLiteServiceStoreTests {
    private static let now: Int64 = 1_778_231_730_120

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func file(_ folder: URL, _ name: String = "service.sqlite") -> String {
        folder.appendingPathComponent(name).path
    }

    /// A service whose changes are written after each request, as the server does.
    private struct Session {
        let store: SQLiteServiceStore
        var world: ServiceWorld
        private let documents = ServiceDocuments()
        private static let limits = JSONLimits(maximumBytes: 1 << 24, maximumDepth: 32, maximumValues: 1_000_000)

        init(
            _ path: String, configuration: ServiceConfiguration = .standard(), isManual: Bool? = true, real: Int64 = now
        ) throws {
            store = try SQLiteServiceStore(path: path, of: .decisions)
            world = try ServiceWorld.opened(configuration, isManual: isManual, from: store, real: real)
            try save()
        }

        mutating func save() throws { try store.write(documents.stored(world.takeChanges(), world)) }

        @discardableResult
        mutating func send(_ method: String, _ path: String, _ body: String = "", real: Int64 = now) throws -> JSONValue
        {
            let question = path.firstIndex(of: "?") ?? path.endIndex
            let request = ServiceRequest(
                method, String(path[..<question]), query: String(path[question...].dropFirst()),
                headers: [
                    "content-type": "application/json",
                    "authorization": "Bearer \(world.service.configuration.accessToken)",
                ], body: Array(body.utf8))
            let response = world.answer(request, real: real).response
            try save()
            #expect((200..<300).contains(response.status), "\(String(decoding: response.body, as: UTF8.self))")
            return (try? JSONReader.read(response.body, limits: Session.limits)) ?? .null
        }

        mutating func decide(_ point: String, for individual: String) throws -> JSONValue {
            try send(
                "POST", "/personalization/decisions",
                #"{"context":{"individualId":"\#(individual)"},"personalizationPoints":[{"name":"\#(point)"}]}"#)
        }

        mutating func event(_ number: Int, _ type: String, on device: String, _ more: String) throws {
            let category = ["identity", "partyIdentification"].contains(type) ? "Profile" : "Engagement"
            let id = String(format: "00000000-0000-4000-8000-%012d", number)
            try send(
                "POST", "/server/events/\(world.service.configuration.appSourceID)",
                #"""
                {"events":[{"eventId":"\#(id)","dateTime":"2026-05-08T09:15:\#(10 + number).120Z","deviceId":"\#(device)",
                "sessionId":"s","category":"\#(category)","channel":"mobile","eventType":"\#(type)",\#(more)}]}
                """#)
        }

        /// Everything that the control API tells.
        func everything() throws -> [String: JSONValue] {
            var world = world
            var all: [String: JSONValue] = [:]
            for path in [
                "state", "decisions", "events", "individuals", "diagnostics", "experiments", "faults", "clock",
            ] {
                let response = world.answer(ServiceRequest("GET", "/api/\(path)"), real: SQLiteServiceStoreTests.now)
                all[path] = try JSONReader.read(response.response.body, limits: Session.limits)
            }
            return all
        }
    }

    /// Some of everything that is stored.
    private func use(_ session: inout Session) throws {
        let reply = try session.decide("home_recommendations", for: "d-1")
        let id = reply.object?["personalizations"]?.array?[0].object?["personalizationId"]?.string ?? ""
        try session.event(
            1, "engagement", on: "d-1",
            #""interactionName":"Click Product Recommendation","personalizationId":"\#(id)","personalizationContentId":"\#(id):0""#
        )
        try session.event(2, "identity", on: "d-1", #""isAnonymous":"0","userId":"u-1001","firstName":"Kim\u0000""#)
        try session.event(3, "identity", on: "d-1", #""isAnonymous":"1""#)
        try session.event(4, "engagement", on: "d-2", #""interactionName":"Push Notification Open""#)
        _ = try session.decide("nothing", for: "d-3\\u0000")
        try session.send("POST", "/api/faults", #"{"match":{"path":"events"},"effect":{"status":503},"count":7}"#)
        try session.send("POST", "/api/clock/advance", #"{"by":"90m"}"#)
    }

    @Test func `an event that an earlier version took is read, also where it would be refused now`() throws {
        try withFolder { folder in
            let first = try Session(file(folder))
            let event = #"""
                {"arrived":1778231730120,"event":{"eventId":"00000000-0000-4000-8000-000000000001","deviceId":"d",
                "dateTime":"2026-05-08T09:15:30.120Z","sessionId":"s","category":"Engagement","eventType":"catalog",
                "interactionName":"catalog-object-dismiss","type":"Product","id":"1"}}
                """#
            var changes = StoredChanges()
            changes.entries = [StoredEntry(log: "event", number: 0, document: Array(event.utf8))]
            try first.store.write(changes)
            first.store.close()
            let second = try Session(file(folder))
            #expect(second.world.service.events.entries.count == 1)
            second.store.close()
        }
    }

    @Test func `a closed store has everything, and ids go on`() throws {
        try withFolder { folder in
            var first = try Session(file(folder))
            try use(&first)
            let before = try first.everything()
            first.store.close()
            var second = try Session(file(folder), isManual: nil)
            #expect(try second.everything() == before)
            try second.send("DELETE", "/api/faults")
            let reply = try second.decide("notification_landing_recs", for: "d-2")
            let list = try second.send("GET", "/api/decisions").object?["decisions"]?.array ?? []
            #expect(Set(list.compactMap { $0.object?["personalization-id"] }).count == list.count, "no id twice")
            #expect(list.last?.object?["request-id"] == reply.object?["requestId"])
            #expect(list.last?.object?["opens"] == 1, "the open waited in the store")
            try second.event(2, "identity", on: "d-1", #""isAnonymous":"0","userId":"u-1001""#)
            #expect(try second.send("GET", "/api/state").object?["repeats"] == 1, "known before the restart")
        }
    }

    @Test func `what was written is there after a kill at any moment`() throws {
        try withFolder { folder in
            var session = try Session(file(folder))
            var copies: [(path: String, state: [String: JSONValue])] = []
            for number in 1...6 {
                try session.event(
                    number, "identity", on: "d-\(number)", #""isAnonymous":"0","userId":"u-\#(number % 2)""#)
                // The file and its log as they are: what the system has when the process is killed.
                let copy = file(folder, "copy-\(number).sqlite")
                for end in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: file(folder) + end, toPath: copy + end)
                }
                copies.append((copy, try session.everything()))
            }
            for copy in copies {
                let again = try Session(copy.path, isManual: nil)
                #expect(try again.everything() == copy.state)
                again.store.close()
            }
            session.store.close()
        }
    }

    @Test func `logs in the file are as long as their limits, and go on with their numbers`() throws {
        try withFolder { folder in
            var configuration = ServiceConfiguration.standard()
            configuration.limits.events = 3
            configuration.limits.eventIDs = 4
            configuration.limits.decisions = 2
            for round in 0..<3 {
                var session = try Session(file(folder), configuration: configuration)
                for number in 0..<3 {
                    try session.event(round * 3 + number, "own", on: "d", #""a":"b""#)
                    _ = try session.decide("home_hero", for: "d")
                }
                let all = try session.everything()
                #expect(all["events"]?.object?["dropped"] == .integer(Int64(round * 3)))
                session.store.close()
            }
            let database = try DatabaseQueue(path: file(folder))
            let counts = try database.read { database in
                try Row.fetchAll(database, sql: "SELECT log, count(*) AS count FROM entry GROUP BY log ORDER BY log")
                    .map { "\($0["log"] as String) \($0["count"] as Int)" }
            }
            #expect(counts == ["decision 2", "event 3", "event-id 4"])
        }
    }

    @Test func `an id in two forms of Unicode is one row, and the owner of a device is there after a restart`() throws {
        try withFolder { folder in
            // é as one character, and as e with an accent: one device for the service.
            let forms = ["d-\u{e9}", "d-e\u{301}"]
            for order in [forms, forms.reversed()] {
                let path = file(folder, "\(order[0].utf8.count).sqlite")
                var session = try Session(path)
                try session.event(1, "identity", on: order[0], #""isAnonymous":"0","userId":"u-a""#)
                try session.event(2, "identity", on: order[1], #""isAnonymous":"0","userId":"u-b""#)
                try session.event(3, "engagement", on: order[0], #""interactionName":"Push Notification Open""#)
                _ = try session.decide("notification_landing_recs", for: order[1])
                let before = try session.everything()
                session.store.close()
                var second = try Session(path, isManual: nil)
                #expect(try second.everything() == before)
                #expect(try second.send("GET", "/api/individuals/d-%C3%A9").object?["user-id"] == "u-b")
                _ = try second.decide("notification_landing_recs", for: order[0])
                let list = try second.send("GET", "/api/decisions").object?["decisions"]?.array ?? []
                #expect(list.compactMap { $0.object?["opens"] } == [1, 0], "the open was counted once")
                second.store.close()
                let database = try DatabaseQueue(path: path)
                let rows = try database.read { database in
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM row WHERE kind = 'device'")
                }
                #expect(rows == 1)
            }
        }
    }

    @Test func `under a lower limit the oldest of those who wait and of joined ids leave the file too`() throws {
        try withFolder { folder in
            var configuration = ServiceConfiguration.standard()
            var session = try Session(file(folder), configuration: configuration)
            for number in 1...5 {
                try session.event(
                    number, "engagement", on: "d-\(number)", #""interactionName":"Push Notification Open""#)
                try session.event(
                    number + 10, "identity", on: "d-\(number)", #""isAnonymous":"0","userId":"u-1001""#)
            }
            session.store.close()
            configuration.limits.people = 2
            for round in 1...2 {
                var again = try Session(file(folder), configuration: configuration)
                let state = try again.send("GET", "/api/state").object?["dropped"]?.object
                #expect(state?["merged-ids"] == 3, "in round \(round)")
                again.store.close()
                let database = try DatabaseQueue(path: file(folder))
                let keys = try database.read { database in
                    try Row.fetchAll(
                        database,
                        sql: "SELECT kind, key FROM row WHERE kind IN ('merged', 'waiting') ORDER BY kind, key"
                    )
                    .map { "\($0["kind"] as String) \(String(decoding: $0["key"] as Data, as: UTF8.self))" }
                }
                #expect(keys == ["merged d-4", "merged d-5", "waiting d-4", "waiting d-5"], "in round \(round)")
            }
            var last = try Session(file(folder), configuration: configuration)
            for number in [4, 5, 1] { _ = try last.decide("notification_landing_recs", for: "d-\(number)") }
            let list = try last.send("GET", "/api/decisions").object?["decisions"]?.array ?? []
            #expect(list.compactMap { $0.object?["opens"] } == [1, 1, 0])
            last.store.close()
        }
    }

    @Test func `a party identification joins after a restart too`() throws {
        try withFolder { folder in
            let party = #""IDName":"CRM Contact Id","IDType":"CRM","userId":"003000000000001""#
            var session = try Session(file(folder))
            try session.event(1, "identity", on: "d-1", #""isAnonymous":"0","userId":"u-1001""#)
            try session.event(2, "partyIdentification", on: "d-1", party)
            let before = try session.everything()
            session.store.close()
            var second = try Session(file(folder), isManual: nil)
            #expect(try second.everything() == before)
            try second.event(3, "partyIdentification", on: "d-2", party)
            #expect(try second.send("GET", "/api/individuals/d-2").object?["user-id"] == "u-1001")
            second.store.close()
        }
    }

    @Test func `a reset empties the file too`() throws {
        try withFolder { folder in
            var session = try Session(file(folder))
            let before = try session.everything()
            try use(&session)
            try session.send("POST", "/api/reset")
            session.store.close()
            #expect(try Session(file(folder), isManual: nil).everything() == before)
        }
    }

    @Test func `people of the document who are new are added, and a data space that is gone is kept`() throws {
        try withFolder { folder in
            func open(_ text: String) throws -> Session {
                let document = PersonalizationDocument(Array(text.utf8), name: "f")
                #expect(document.errors.isEmpty, "\(document.errors)")
                return try Session(file(folder), configuration: document.configuration)
            }
            let kim = "{id: kim, user-id: u-1, dataspace: eu}"
            try open("{dataspaces: [default, eu], individuals: [\(kim)]}").store.close()
            var second = try open("{individuals: [{id: lee, user-id: u-2}]}")
            #expect(try second.send("GET", "/api/individuals").object?["total"] == 1)
            second.store.close()
            var third = try open("{dataspaces: [default, eu]}")
            #expect(try third.send("GET", "/api/individuals?dataspace=eu").object?["total"] == 1)
            #expect(try third.send("GET", "/api/individuals/lee").object?["user-id"] == "u-2")
            third.store.close()
        }
    }

    @Test func `a clock keeps its mode unless another is asked for`() throws {
        try withFolder { folder in
            var session = try Session(file(folder), isManual: true)
            try session.send("PUT", "/api/clock", #"{"now":"2026-01-01T00:00:00Z"}"#)
            session.store.close()
            var second = try Session(file(folder), isManual: nil, real: Self.now + 5_000)
            #expect(try second.send("GET", "/api/clock").object?["now"] == "2026-01-01T00:00:00.000Z")
            second.store.close()
            var third = try Session(file(folder), isManual: false)
            #expect(try third.send("GET", "/api/clock").object?["mode"] == "real")
            third.store.close()
        }
    }

    // MARK: Files that cannot be used

    private func code(_ path: String) -> ServiceStoreError.Code? {
        do throws(ServiceStoreError) {
            try SQLiteServiceStore(path: path, of: .decisions).close()
            return nil
        } catch {
            #expect(error.detail.contains(path), "\(error)")
            return error.code
        }
    }

    @Test func `another's file is not touched`() throws {
        try withFolder { folder in
            let text = file(folder, "text")
            try Data("this is not a database, and is longer than the header of one is".utf8).write(
                to: URL(fileURLWithPath: text))
            #expect(code(text) == .foreign)
            let other = file(folder, "other.sqlite")
            try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE a (b)") }
            let before = try Data(contentsOf: URL(fileURLWithPath: other))
            #expect(code(other) == .foreign)
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
            #expect(code(folder.path) == .unusable)
            #expect(code(file(folder, "missing/service.sqlite")) == .unusable)
        }
    }

    @Test func `a file in use, a newer file and a damaged file are told apart`() throws {
        try withFolder { folder in
            var session = try Session(file(folder))
            #expect(code(file(folder)) == .taken)
            try use(&session)
            session.store.close()
            func change(_ sql: String) throws {
                let database = try DatabaseQueue(path: file(folder))
                try database.write { try $0.execute(sql: sql) }
                try database.close()
            }
            try change("PRAGMA user_version = 2")
            #expect(code(file(folder)) == .newer)
            try change("PRAGMA user_version = 1")
            try change("DELETE FROM entry WHERE log = 'event' AND number = 1")
            #expect(throws: ServiceStoreError.self) { try Session(file(folder)) }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file(folder)))
            for index in 4_096..<bytes.count { bytes[index] = 0x5a }
            try bytes.write(to: URL(fileURLWithPath: file(folder)))
            #expect(code(file(folder)) == .damaged)
        }
    }

    @Test func `the file can be read only by its owner`() throws {
        try withFolder { folder in
            var session = try Session(file(folder))
            try use(&session)
            for end in ["", "-wal"] {
                let facts = try FileManager.default.attributesOfItem(atPath: file(folder) + end)
                #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
            session.store.close()
        }
    }
}
