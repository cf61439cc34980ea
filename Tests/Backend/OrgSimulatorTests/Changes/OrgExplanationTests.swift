import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// `GET /simulator/explain`.
struct OrgExplanationTests {
    private var world: OrgWorld
    private let id: RecordID

    private static let bundle = "com.example.agent"

    init() throws { (world, id) = try Self.world() }

    private static func world(
        _ change: (inout PushTrigger) -> Void = { _ in }
    ) throws -> (OrgWorld, RecordID) {
        var org = Org.triggering(change)
        for (number, name) in [(1, "ada"), (2, "bob"), (3, "cy")] {
            org.users[.user(number)] = OrgUser(.user(number), name: name)
        }
        org.users[.user(4)] = OrgUser(.user(4), name: "queue", kind: .syncQueue)
        var app = OrgApp("Agent", bundleID: try #require(Topic(bundle)))
        (app.keyID, app.teamID) = ("ABC123DEFG", "ABCDE12345")
        org.apps["Agent"] = app
        let id = try org.create("Account", ["Name": "Nord", "Type": "Prospect"], by: .user(1), at: .start)
        for (token, user) in [("ab12", 1), ("ab34", 1), ("cd12", 2)] {
            _ = try org.register(token, bundleID: bundle, for: .user(user), at: .start)
        }
        _ = try org.register("ee12", bundleID: "com.example.other", for: .user(1), at: .start)
        let world = OrgWorld(org, rest: OrgREST(sessions: ["good": .user(1)]))
        return (world, id)
    }

    @discardableResult
    private func edit(
        _ world: inout OrgWorld, _ fields: [String: JSONValue], _ ids: [RecordID], by user: String = "ada",
        source: String = "browser"
    ) -> OrgWorld.Outcome {
        let body: JSONValue = [
            "user": .string(user), "source": .string(source),
            "records": .array(ids.map { ["id": .string($0.description), "fields": .object(fields)] }),
        ]
        return world.answer(ServiceRequest("POST", "/simulator/edit", body: body.compactBytes), real: .start)
    }

    private struct Told {
        let json: JSONValue
        subscript(key: String) -> JSONValue? { json.object?[key] }
    }

    private func explain(_ world: inout OrgWorld, _ query: String = "") -> Told {
        Told(json: world.answer(ServiceRequest("GET", "/simulator/explain", query: query), real: .start).answer.json)
    }

    private func trigger(_ answer: Told) -> JSONValue? {
        answer["records"]?.array?.first?.object?["trigger"]
    }

    private func devices(_ answer: Told) -> [[String: JSONValue]] {
        answer["pushes"]?.array?.first?.object?["devices"]?.array?.compactMap(\.object) ?? []
    }

    @Test func `each device of the target has its own steps, and other users have a reason`() throws {
        var world = world
        let outcome = edit(&world, ["Name": "Nord AG", "Phone": "1"], [id])
        world.answered(outcome.notifications[0], .accepted(apnsID: "A", uniqueID: "U"), real: .start)
        var refusal = OrgAnswer(status: 400, detail: "BadDeviceToken")
        refusal.apnsID = "B"
        world.answered(outcome.notifications[1], refusal, real: .start)
        let answer = explain(&world)
        #expect(answer["change"] == 1 && answer["saved"] == true && answer["source"] == "browser")
        #expect(answer["records"]?.array?.first?.object?["fields"] == ["Name", "Phone"])
        #expect(trigger(answer) == ["fired": true, "why": "watched fields differ: Name", "flaws": []])
        let devices = devices(answer)
        #expect(devices.map { $0["device"] } == ["ab12", "ab34", "ee12"])
        #expect(devices.map { $0["sent"] } == [true, true, false])
        #expect(devices[0]["gateway"]?.object?["status"] == 200)
        #expect(devices[1]["gateway"]?.object?["reason"] == "BadDeviceToken")
        #expect(devices[2]["why"] == "the device is registered with another app, com.example.other")
        #expect(devices[2]["gateway"] == nil)
        #expect(
            devices[0]["delivery"]?.object?["why"]
                == "the org cannot ask this gateway; give the org --gateway-control")
        let others = answer["others"]?.array?.compactMap(\.object) ?? []
        #expect(others.map { $0["user"]?.object?["name"] } == ["bob"])
        #expect(others.first?["why"] == "the trigger of Account sends to the last modifier")
    }

    @Test func `the gateway is asked about accepted and refused pushes, and its words are shown`() throws {
        var world = world
        let outcome = edit(&world, ["Name": "Nord AG"], [id])
        world.answered(outcome.notifications[0], .accepted(apnsID: "A", uniqueID: "U"), real: .start)
        var refusal = OrgAnswer(status: 403, detail: "ExpiredProviderToken")
        refusal.apnsID = "B"
        world.answered(outcome.notifications[1], refusal, real: .start)
        let asked = world.answer(ServiceRequest("GET", "/simulator/explain"), real: .start)
        let explanation = try #require(asked.explanation)
        #expect(explanation.questions == [.life(uniqueID: "U"), .refusal(apnsID: "B")])
        let told = Told(
            json: explanation.json([
                .life(uniqueID: "U"): .stage("stored", at: "T", why: "the device is not connected"),
                .refusal(apnsID: "B"): .refused(why: "the token was signed 61 minutes ago"),
            ]))
        let devices = devices(told)
        #expect(
            devices[0]["delivery"] == ["stage": "stored", "time": "T", "why": "the device is not connected"])
        #expect(devices[1]["gateway"]?.object?["why"] == "the token was signed 61 minutes ago")
        #expect(devices[1]["delivery"]?.object?["why"] == "a refused push reaches no device")
    }

    @Test func `an answer that is not there yet, or never came, is told apart`() throws {
        var world = world
        let outcome = edit(&world, ["Name": "Nord AG"], [id])
        world.answered(outcome.notifications[1], OrgAnswer(status: nil, detail: "no route"), real: .start)
        let devices = devices(explain(&world))
        #expect(devices[0]["gateway"] == ["status": .null, "why": "it has not answered yet"])
        #expect(devices[0]["delivery"] == nil)
        #expect(devices[1]["gateway"]?.object?["why"] == "no route")
        #expect(devices[1]["delivery"]?.object?["why"] == "it did not get as far as a device")
    }

    @Test func `a trigger that does not fire says why`() throws {
        var world = world
        edit(&world, ["Phone": "7"], [id])
        #expect(
            trigger(explain(&world)) == [
                "fired": false, "why": "no watched field differs; it watches Name, OwnerId, Type", "flaws": [],
            ])
        edit(&world, ["Name": "NORD"], [id])
        #expect(trigger(explain(&world))?.object?["flaws"] == ["ignores-case"])
        edit(&world, ["Name": "South"], [id], source: "agent")
        #expect(trigger(explain(&world))?.object?["why"] == "changes of this source are ignored: agent")
        edit(&world, ["Name": "West"], [id], by: "queue")
        #expect(trigger(explain(&world))?.object?["why"] == "users of this kind are ignored: sync-queue")
        edit(&world, ["Name": "East"], [id], by: "bob", source: "flow")
        let answer = explain(&world)
        #expect(trigger(answer)?.object?["why"] == "the last modifier is another user")
        #expect(answer["pushes"] == [] && answer["others"] == [])
    }

    @Test func `flaws are named where they have an effect`() throws {
        var (world, id) = try Self.world {
            $0.target = .user(.user(2))
            $0.setFlaws(Set(PushTrigger.Flaw.allCases))
        }
        edit(&world, ["Name": "South"], [id], by: "queue", source: "bulk-load")
        let answer = explain(&world)
        #expect(trigger(answer)?.object?["flaws"] == ["every-source"])
        #expect(answer["pushes"]?.array?.first?.object?["flaws"] == ["name-in-payload"])
        #expect(answer["pushes"]?.array?.first?.object?["why"] == "the trigger sends to one fixed user")
        #expect(answer["others"]?.array?.first?.object?["flaws"] == ["hard-wired-user"])
        edit(&world, ["Name": "West"], [id])
        #expect(trigger(explain(&world))?.object?["flaws"] == [])
    }

    @Test(arguments: [false, true]) func `the device that made a change is an echo, or left out`(isLeftOut: Bool) throws
    {
        var client = OrgClient(try Self.world { $0.excludesSource = isLeftOut }.0.org)
        let grant = client.rest.logIn(.user(1), clientID: "Agent", &client.org, at: client.now)
        let device: JSONValue = [
            "ConnectionToken": "ff12", "ServiceType": "Apple", "ApplicationBundle": .string(Self.bundle),
        ]
        let path = "sobjects/MobilePushServiceDevice"
        #expect(client.call("POST", path, device, token: grant.accessToken).status == 201)
        let record = try #require(client.org.records(of: "Account").first)
        let changed = client.call("PATCH", "sobjects/Account/\(record.id)", ["Name": "South"], token: grant.accessToken)
        #expect(changed.status == 204)
        _ = client.org.send(changed.pushes, at: client.now)
        var world = OrgWorld(client.org)
        let answer = explain(&world)
        #expect(answer["source"] == "app")
        let own = devices(answer).first { $0["device"] == "ff12" }
        #expect(own?["sent"] == .bool(!isLeftOut))
        #expect(own?["flaws"] == (isLeftOut ? [] : ["own-echo"]))
        #expect(devices(answer).first?["flaws"] == [])
    }

    @Test func `a save that failed names the flaw, and has no pushes`() throws {
        var world = world
        let ids = (0..<11).compactMap { _ -> RecordID? in
            let body: JSONValue = ["user": "ada", "object": "Account", "fields": ["Name": "N"]]
            let made = world.answer(ServiceRequest("POST", "/simulator/create", body: body.compactBytes), real: .start)
            return made.answer["id"]?.string.flatMap { RecordID($0) }
        }
        edit(&world, ["Name": "M"], ids)
        let answer = explain(&world)
        #expect(answer["saved"] == false && answer["flaws"] == ["send-per-record"] && answer["pushes"] == [])
        #expect(answer["why"]?.string?.contains("Too many mobile push Apex calls: 11") == true)
    }

    @Test func `a change that a composite call with allOrNone undid is not saved, and has no pushes`() {
        var client = OrgClient(world.org)
        let change: JSONValue = [
            "method": "PATCH", "referenceId": "a", "url": .string("\(OrgClient.root)/sobjects/Account/\(id)"),
            "body": ["Name": "South"],
        ]
        let other: JSONValue = ["method": "GET", "referenceId": "b", "url": "/nope"]
        client.call("POST", "composite", ["allOrNone": true, "compositeRequest": [change, other]])
        var world = OrgWorld(client.org)
        let answer = explain(&world)
        #expect(answer["saved"] == false && answer["flaws"] == [] && answer["pushes"] == [])
        #expect(answer["why"]?.string?.hasPrefix("PROCESSING_HALTED: ") == true)
        #expect(trigger(answer)?.object?["fired"] == true && answer["others"] == [])
    }

    @Test func `changes that a collection with allOrNone undid are not saved, and those before it are`() {
        var client = OrgClient(world.org)
        #expect(client.call("PATCH", "sobjects/Account/\(id)", ["Name": "South"]).status == 204)
        let row: JSONValue = [
            "attributes": ["type": "Account"], "id": .string(id.description), "Name": "West",
        ]
        let missing: JSONValue = ["attributes": ["type": "Account"], "id": "001xx0000099999", "Name": "West"]
        client.call("PATCH", "composite/sobjects", ["allOrNone": true, "records": [row, missing]])
        var world = OrgWorld(client.org)
        #expect(explain(&world, "change=1")["saved"] == true)
        let answer = explain(&world, "change=2")
        #expect(answer["saved"] == false && answer["flaws"] == [] && answer["pushes"] == [])
        #expect(answer["why"]?.string?.hasPrefix("ALL_OR_NONE_OPERATION_ROLLED_BACK: ") == true)
    }

    @Test(arguments: [
        ("push-off", "push is off for the org"), ("app-off", "there is no such app, or its push is off"),
        ("key", "the app has no key"), ("devices", "the user has registered no device"),
    ])
    func `a call that reaches no device has its obstacle`(what: String, obstacle: String) throws {
        var org = world.org
        switch what {
        case "push-off": org.settings.isPushEnabled = false
        case "app-off": org.apps["Agent"]?.isPushEnabled = false
        case "key": org.apps["Agent"]?.keyID = nil
        default: for device in org.devices(of: .user(1)) { try org.unregister(device.id, of: .user(1), at: .start) }
        }
        var world = OrgWorld(org)
        edit(&world, ["Name": "South"], [id])
        #expect(explain(&world)["pushes"]?.array?.first?.object?["obstacle"] == .string(obstacle))
    }

    @Test func `what the limit of the hour leaves out is said for each device`() throws {
        var org = world.org
        org.settings.pushesPerHour = 1
        var world = OrgWorld(org)
        edit(&world, ["Name": "South"], [id])
        #expect(devices(explain(&world)).map { $0["sent"] } == [true, false, false])
        #expect(devices(explain(&world))[1]["why"] == "the limit of the clock hour is reached")
    }

    @Test func `with a record, other records, their pushes and their users' pushes are left out`() throws {
        var (world, first) = try Self.world { $0.target = .owner }
        let body: JSONValue = ["user": "bob", "object": "Account", "fields": ["Name": "N"]]
        let made = world.answer(ServiceRequest("POST", "/simulator/create", body: body.compactBytes), real: .start)
        let second = try #require(made.answer["id"]?.string.flatMap { RecordID($0) })
        edit(&world, ["Name": "Both"], [first, second])
        edit(&world, ["Name": "One"], [first])
        #expect(explain(&world, "change=1")["pushes"]?.array?.count == 2)
        #expect(explain(&world, "change=1")["others"] == [])
        let answer = explain(&world, "record=\(second)")
        #expect(answer["change"] == 1 && answer["other-changes"] == [])
        #expect(answer["pushes"]?.array?.compactMap { $0.object?["user"]?.object?["name"] } == ["bob"])
        #expect(answer["others"]?.array?.compactMap { $0.object?["user"]?.object?["name"] } == ["ada"])
        #expect(explain(&world, "record=\(first)")["other-changes"] == [1])
    }

    @Test func `a receiver who may not see the record, and users who may not either, are named`() throws {
        var org = try Self.world { $0.target = .user(.user(2)) }.0.org
        org.setVisible(false, id, to: .user(2))
        org.setVisible(false, id, to: .user(1))
        var world = OrgWorld(org)
        edit(&world, ["Name": "South"], [id])
        let answer = explain(&world)
        #expect(answer["pushes"]?.array?.first?.object?["hidden-records"] == 1)
        #expect(answer["others"]?.array?.first?.object?["sees-record"] == false)
    }

    @Test(arguments: [
        ("", "nothing was changed yet"), ("change=3", "there is no change 3"), ("change=0", "from 1"),
        ("record=001xx0000000009AAA", "the org knows no change of"), ("record=x", "has 1 bytes"),
    ])
    func `what the org does not know is refused`(query: String, detail: String) {
        var world = world
        #expect(explain(&world, query)["detail"]?.string?.contains(detail) == true)
    }

    @Test func `a change that is not the record's is refused with those that are`() throws {
        var (world, other) = (world, RecordID("001xx0000000009")!)
        edit(&world, ["Name": "South"], [id])
        edit(&world, ["Name": "West"], [id])
        #expect(
            explain(&world, "change=1&record=\(other)")["detail"]
                == .string("change 1 did not change \(other); the org knows no change of it"))
    }
}
