import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// The control API without a server.
struct ControlTests {
    private static let start = ServerDate.start

    private static func world() throws -> (OrgWorld, RecordID) {
        var org = Org()
        org.users[.user(1)] = OrgUser(.user(1), name: "ada")
        org.users[.user(2)] = OrgUser(.user(2), name: "bob")
        var app = OrgApp("Agent", bundleID: try #require(Topic("com.example.agent")))
        (app.keyID, app.teamID) = ("ABC123DEFG", "ABCDE12345")
        org.apps["Agent"] = app
        let id = try org.create("Account", ["Name": "A"], by: .user(1), at: start)
        _ = try org.register("ab12", bundleID: "com.example.agent", for: .user(1), at: start)
        return (OrgWorld(org, rest: OrgREST(sessions: ["good": .user(1)])), id)
    }

    private func call(
        _ world: inout OrgWorld, _ method: String, _ path: String, _ body: JSONValue? = nil, query: String = "",
        at real: ServerDate = start
    ) -> OrgWorld.Outcome {
        world.answer(
            ServiceRequest(method, "/simulator" + path, query: query, body: body?.compactBytes ?? []), real: real)
    }

    @Test func `an edit is one save by a person, and its pushes are delivered`() throws {
        var (world, id) = try Self.world()
        let body: JSONValue = [
            "user": "ada", "records": [["id": .string(id.description), "fields": ["Name": "B"]]],
        ]
        let outcome = call(&world, "POST", "/edit", body)
        #expect(outcome.answer.json == ["records": 1, "push-calls": 1, "change": 1])
        #expect(outcome.notifications.map(\.deviceToken.hex) == ["ab12"])
        #expect(world.org[id]?.fields["Name"] == "B")
        world.answered(outcome.notifications[0], OrgAnswer(status: 410, detail: "Unregistered"), real: Self.start)
        #expect(world.org.devices.isEmpty)
    }

    @Test func `an edit of all records of an object is one save, whatever their number`() throws {
        var org = Org()
        org.users[.user(1)] = OrgUser(.user(1), name: "ada")
        for _ in 0..<1_100 { _ = try org.create("Account", ["Name": "A"], by: .user(1), at: .start) }
        _ = try org.create("Interaction", ["Name": "I"], by: .user(1), at: .start)
        var world = OrgWorld(org)
        let body: JSONValue = ["user": "ada", "object": "Account", "all": true, "fields": ["Phone": "1"]]
        #expect(call(&world, "POST", "/edit", body).answer.json == ["records": 1_100, "push-calls": 0, "change": 1])
        #expect(world.org.records(of: "Account").allSatisfy { $0.fields["Phone"] == "1" })
        #expect(world.org.records(of: "Interaction").allSatisfy { $0.fields["Phone"] == nil })
    }

    @Test(
        arguments: [
            (["all": true, "fields": ["Name": "B"]], "object is missing"),
            (["object": "Account", "all": true], "fields must be an object"),
            (["object": "Nope", "all": true, "fields": ["Name": "B"]], "there are Account, Interaction"),
            (["object": "Interaction", "all": true, "fields": ["Name": "B"]], "no record of Interaction"),
            (["object": "Account", "all": true, "fields": ["Name": "B"], "records": []], "give records, or"),
            (["object": "Account", "fields": ["Name": "B"]], "fields are for"),
            (["object": "Account"], "records must be an array"),
        ] as [([String: JSONValue], String)])
    func `an edit names all records or some`(members: [String: JSONValue], why: String) throws {
        var (world, id) = try Self.world()
        var members = members
        members["user"] = "ada"
        let answer = call(&world, "POST", "/edit", .object(members)).answer
        #expect(answer["detail"]?.string?.contains(why) == true, "\(answer.response.text)")
        #expect(world.org[id]?.fields["Name"] == "A")
    }

    @Test func `an edit that names the object changes no record of another one, and counts each record once`() throws {
        var (world, id) = try Self.world()
        let row: JSONValue = ["id": .string(id.description), "fields": ["Phone": "1"]]
        let wrong = call(
            &world, "POST", "/edit", ["user": "ada", "object": "Interaction", "records": [row]]
        ).answer
        #expect(
            wrong["detail"] == .string("\(id) is a record of Account, and not of Interaction; nothing was changed"))
        #expect(wrong.status == 400 && world.org[id]?.fields["Phone"] == nil)
        let right = call(&world, "POST", "/edit", ["user": "ada", "object": "Account", "records": [row, row]]).answer
        #expect(right["records"] == 1 && world.org[id]?.fields["Phone"] == "1")
    }

    @Test func `a flow changes only the system stamp`() throws {
        var (world, id) = try Self.world()
        let body: JSONValue = [
            "user": "bob", "source": "flow", "records": [["id": .string(id.description), "fields": ["Name": "B"]]],
        ]
        #expect(call(&world, "POST", "/edit", body).notifications.isEmpty)
        #expect(world.org[id]?.lastModifiedBy == .user(1))
    }

    @Test func `a save is committed late, with the stamps of the start of its transaction`() throws {
        var (world, id) = try Self.world()
        let now = Self.start.after(seconds: 3_600)
        let body: JSONValue = [
            "user": "ada", "transaction": "10m", "records": [["id": .string(id.description), "fields": ["Name": "B"]]],
        ]
        #expect(call(&world, "POST", "/edit", body, at: now).notifications.count == 1)
        #expect(world.org[id]?.systemModstamp == Self.start.after(seconds: 3_000))
        #expect(world.org[id]?.lastModified == Self.start.after(seconds: 3_000))
        // Stamps never go back.
        #expect(call(&world, "POST", "/edit", body, at: now).answer.status == 200)
        #expect(world.org[id]?.systemModstamp == Self.start.after(seconds: 3_000).plusOne)

        let made = call(
            &world, "POST", "/create",
            ["user": "ada", "object": "Account", "transaction": "1m", "fields": ["Name": "C"]], at: now
        ).answer.json.object?["id"]?.string.flatMap { RecordID($0) }
        #expect(made.flatMap { world.org[$0] }?.systemModstamp == now.after(seconds: -60))
        #expect(
            call(
                &world, "POST", "/delete", ["user": "ada", "id": .string(id.description), "transaction": "5m"], at: now
            )
            .answer.status == 204)
        let query = "start=\(Self.start.after(seconds: 3_240).literal)&end=\(Self.start.after(seconds: 3_360).literal)"
        let deleted = world.answer(
            ServiceRequest(
                "GET", OrgClient.root + "/sobjects/Account/deleted/", query: query,
                headers: ["authorization": "Bearer good"],
                body: []), real: now)
        #expect(deleted.answer.response.text.contains("\(id)"))
        for wrong: JSONValue in ["25h", "-1m", 7] {
            let body: JSONValue = ["user": "ada", "id": .string(id.description), "transaction": wrong]
            #expect(call(&world, "POST", "/delete", body, at: now).answer.status == 400)
        }
    }

    @Test func `every save takes the time of the settings`() throws {
        var (world, id) = try Self.world()
        let now = Self.start.after(seconds: 3_600)
        #expect(call(&world, "PATCH", "/settings", ["transaction-time": "10m"]).answer.status == 204)
        let body: JSONValue = ["user": "ada", "records": [["id": .string(id.description), "fields": ["Name": "B"]]]]
        _ = call(&world, "POST", "/edit", body, at: now)
        #expect(world.org[id]?.systemModstamp == Self.start.after(seconds: 3_000))
    }

    @Test func `a save that a trigger fails has the platform's error`() throws {
        var (world, _) = try Self.world()
        var rows: [JSONValue] = []
        for _ in 0..<11 {
            let body: JSONValue = ["user": "ada", "object": "Account", "fields": ["Name": "N"]]
            let created = call(&world, "POST", "/create", body)
            #expect(created.answer.status == 201)
            rows.append(["id": created.answer["id"] ?? .null, "fields": ["Name": "M"]])
        }
        let outcome = call(&world, "POST", "/edit", ["user": "ada", "records": .array(rows)])
        #expect(outcome.answer.status == 400)
        #expect(outcome.answer["detail"]?.string?.contains("Too many mobile push Apex calls: 11") == true)
        #expect(outcome.answer.response.headers["content-type"] == "application/problem+json")
    }

    @Test func `the clock stands still, moves, and goes on`() throws {
        var (world, _) = try Self.world()
        let later = Self.start.after(seconds: 100)
        #expect(call(&world, "PUT", "/clock", ["mode": "manual", "now": "2030-01-01T00:00:00Z"]).answer.status == 200)
        #expect(world.now(real: later).description == "2030-01-01T00:00:00.000+0000")
        let moved = call(&world, "POST", "/clock/advance", ["by": "55m"], at: later)
        #expect(moved.answer.json == ["mode": "manual", "now": "2030-01-01T00:55:00.000+0000"])
        _ = call(&world, "PUT", "/clock", ["mode": "real"], at: later)
        #expect(world.now(real: later) == later)
        _ = call(&world, "POST", "/clock/advance", ["by": "-1h"], at: later)
        #expect(world.now(real: later) == later.after(seconds: -3_600))
        _ = call(&world, "POST", "/clock/advance", ["by": "2922877d"], at: later)
        #expect(world.now(real: later).description.hasPrefix("9999-12-31T23:59:59"))
    }

    @Test func `sessions expire by the org's clock`() throws {
        var (world, _) = try Self.world()
        let tokens = call(&world, "POST", "/login", ["user": "ada"]).answer
        let token = try #require(tokens["access_token"]?.string)
        #expect(tokens["client_id"] == "Agent" && tokens["user_id"] == .string(RecordID.user(1).description))
        let request = ServiceRequest(
            "GET", "/services/data/v66.0/limits", headers: ["authorization": "Bearer \(token)"])
        #expect(world.answer(request, real: Self.start).answer.status == 200)
        _ = call(&world, "POST", "/clock/advance", ["by": "2h"])
        #expect(world.answer(request, real: Self.start).answer.status == 401)
    }

    @Test(arguments: [("/expire", true), ("/revoke", false)])
    func `sessions of a user are ended, with or without the refresh token`(path: String, canRefresh: Bool) throws {
        var (world, _) = try Self.world()
        let ada = call(&world, "POST", "/login", ["user": "ada"]).answer
        let bob = call(&world, "POST", "/login", ["user": "bob"]).answer
        #expect(call(&world, "POST", path, ["user": "ada"]).answer.status == 204)
        let status = { (world: inout OrgWorld, token: JSONValue?) in
            let headers = ["authorization": "Bearer \(token?.string ?? "")"]
            return world.answer(
                ServiceRequest("GET", "/services/data/v66.0/limits", headers: headers), real: Self.start
            ).answer.status
        }
        #expect(status(&world, ada["access_token"]) == 401)
        #expect(status(&world, bob["access_token"]) == 200)
        let form =
            "grant_type=refresh_token&client_id=Agent&refresh_token="
            + OrgClient.encoded(ada["refresh_token"]?.string ?? "")
        let request = ServiceRequest(
            "POST", "/services/oauth2/token", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8))
        #expect((world.answer(request, real: Self.start).answer.status == 200) == canRefresh)
    }

    @Test(arguments: [
        #"{"effect":{"refuse":{"status":503}}}"#, #"{"effect":{"expire-token":true},"match":{"user":"ada"}}"#,
        #"{"effect":{"delay":"2s"},"count":3}"#, #"{"effect":{"delay":{"uniform":["10ms","2s"]}},"probability":0.5}"#,
        #"{"effect":{"disconnect":true}}"#, #"{"effect":{"disconnect":{"after-bytes":10}}}"#,
        #"{"effect":{"lose-page":true},"match":{"method":"get","path":"/query"}}"#,
        #"{"effect":{"hide-field":"Account.Phone"},"until":"2030-01-01T00:00:00Z"}"#,
        #"{"effect":{"limit":true}}"#, #"{"effect":{"revoke-refresh-token":true}}"#,
    ])
    func `a fault rule is added, listed in the form it came in, and removed`(text: String) throws {
        var (world, _) = try Self.world()
        let rule = try JSONReader.read(Array(text.utf8), limits: .push)
        let added = call(&world, "POST", "/faults", rule)
        #expect(added.answer.status == 201, "\(added.answer.response.text)")
        let listed = try #require(call(&world, "GET", "/faults").answer["faults"]?.array?.first?.object)
        if text.contains("10ms") || text.contains("2s") {
            #expect(listed["effect"] != nil)
        } else if text.contains("503") {
            #expect(listed["effect"] == ["refuse": ["status": 503, "code": "SERVER_UNAVAILABLE"]])
        } else {
            #expect(listed["effect"] == rule.object?["effect"])
        }
        let id = try #require(added.answer["id"]?.string)
        #expect(call(&world, "DELETE", "/faults/\(id)").answer.status == 204)
        #expect(call(&world, "DELETE", "/faults/\(id)").answer.status == 404)
        #expect(call(&world, "GET", "/faults").answer.json == ["faults": []])
    }

    @Test(arguments: [
        ("{}", "effect is missing"), (#"{"effect":{}}"#, "one key"), (#"{"effect":{"x":1}}"#, "no effect x"),
        (#"{"effect":{"refuse":{}}}"#, "status is missing"), (#"{"effect":{"refuse":{"status":200}}}"#, "400 to 599"),
        (#"{"effect":{"delay":"x"}}"#, "duration"), (#"{"effect":{"delay":{"uniform":["2s","1s"]}}}"#, "uniform"),
        (#"{"effect":{"limit":1}}"#, "takes true"), (#"{"effect":{"hide-field":"Phone"}}"#, "Account.Phone"),
        (#"{"effect":{"limit":true},"match":{"user":"eve"}}"#, "no user eve"),
        (#"{"effect":{"limit":true},"match":{"users":"ada"}}"#, "no key \"users\""),
        (#"{"effect":{"limit":true},"probability":2}"#, "from 0.0 to 1.0"),
        (#"{"effect":{"limit":true},"until":"soon"}"#, "a time such as"), ("[]", "an object is wanted"),
        ("{", "not JSON"),
    ])
    func `an invalid fault rule is refused with the cause`(text: String, why: String) throws {
        var (world, _) = try Self.world()
        let request = ServiceRequest("POST", "/simulator/faults", body: Array(text.utf8))
        let answer = world.answer(request, real: Self.start).answer
        #expect(answer.status == 400)
        #expect(answer["detail"]?.string?.contains(why) == true, "\(answer.response.text)")
    }

    @Test func `limits can be changed at run time, and a misspelt one changes nothing`() throws {
        var (world, _) = try Self.world()
        let settings: JSONValue = ["daily-calls": 1, "rotate-refresh-tokens": true, "access-token-lifetime": "5m"]
        #expect(call(&world, "PATCH", "/settings", settings).answer.status == 204)
        #expect(world.org.settings.dailyCalls == 1 && world.org.settings.accessTokenLifetime == 300_000)
        let bad = call(&world, "PATCH", "/settings", ["daily-calls": 9, "daily-call": 5])
        #expect(bad.answer["detail"]?.string?.contains("there is no key \"daily-call") == true)
        #expect(world.org.settings.dailyCalls == 1)
    }

    @Test func `rights can be removed and restored`() throws {
        var (world, id) = try Self.world()
        let hide: JSONValue = ["user": "ada", "id": .string(id.description), "visible": false]
        #expect(call(&world, "POST", "/visibility", hide).answer.status == 204)
        #expect(call(&world, "GET", "/records", query: "object=Account&user=ada").answer["total"] == 0)
        #expect(call(&world, "GET", "/records", query: "object=Account&user=bob").answer["total"] == 1)
        #expect(call(&world, "GET", "/records", query: "object=Account").answer["total"] == 1)
        #expect(
            call(&world, "POST", "/hidden-fields", ["object": "Account", "field": "Phone"]).answer.status == 204)
        #expect(world.org.hiddenFields == [HiddenField("Account", "Phone")])
        #expect(call(&world, "POST", "/hidden-fields", ["object": "Account", "field": "No"]).answer.status == 404)
    }

    @Test func `a deletion is remembered until it is purged`() throws {
        var (world, id) = try Self.world()
        let body: JSONValue = ["user": "ada", "id": .string(id.description)]
        #expect(call(&world, "POST", "/delete", body).answer.status == 204)
        #expect(call(&world, "POST", "/delete", body).answer.status == 404)
        _ = call(&world, "POST", "/purge", [:], at: Self.start.after(seconds: 60))
        #expect(world.org.earliestDeletion(at: Self.start.after(seconds: 61)) == Self.start.after(seconds: 60))
    }

    @Test func `a reset restores the initial state`() throws {
        var (world, id) = try Self.world()
        _ = call(&world, "POST", "/delete", ["user": "ada", "id": .string(id.description)])
        _ = call(&world, "PUT", "/clock", ["mode": "manual"])
        #expect(call(&world, "POST", "/reset").answer.status == 204)
        #expect(world.org[id] != nil && !world.clock.isManual)
    }

    @Test func `the log is returned in pages, and the call waits if it is empty`() throws {
        var (world, _) = try Self.world()
        let first = call(&world, "GET", "/log", query: "after=0&wait=5s")
        #expect(first.waits == nil)
        #expect(first.answer["entries"]?.array?.first?.object?["event"] == "DEVICE_REGISTERED")
        let next = call(&world, "GET", "/log", query: "after=1&wait=5s")
        #expect(next.waits?.after == 1 && next.waits?.milliseconds == 5_000)
        // The log of before a reset had more entries.
        let beyond = call(&world, "GET", "/log", query: "after=7&wait=5s")
        #expect(beyond.waits == nil && beyond.answer.json == ["entries": [], "last": 1])
        #expect(call(&world, "GET", "/log", query: "after=x").answer.status == 400)
        #expect(call(&world, "GET", "/log", query: "wait=31s").answer.status == 400)
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("POST", "/clock", 405), ("GET", "/edit", 405), ("GET", "/records", 400),
        ("POST", "/login", 400), ("POST", "/edit", 400),
    ])
    func `an invalid call has the matching status`(method: String, path: String, status: Int) throws {
        var (world, _) = try Self.world()
        #expect(call(&world, method, path).answer.status == status)
    }

    @Test func `the state lists users, apps, objects with their flaws, and usage`() throws {
        var (world, _) = try Self.world()
        let state = call(&world, "GET", "").answer
        #expect(state["users"]?.array?.map { $0.object?["name"] } == ["ada", "bob"])
        #expect(state["objects"]?.array?.first?.object?["flaws"] == ["ignores-case", "own-echo", "send-per-record"])
        #expect(state["api-usage"] == ["used": 0, "limit": 100_000])
        #expect(!state.response.text.contains("good"))
        #expect(call(&world, "GET", "/devices").answer.response.text.contains(#""device":"ab12""#))
    }
}

extension ServerDate {
    fileprivate var plusOne: ServerDate { ServerDate(millisecondsSince1970: millisecondsSince1970 + 1) }

    fileprivate var literal: String { description.replacing("+0000", with: "Z") }
}
