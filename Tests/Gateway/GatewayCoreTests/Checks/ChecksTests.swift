import APNSModel
import APNSPayload
import Testing

@testable import GatewayCore

struct ChecksTests {
    @Test func `a request without a fault is accepted`() throws {
        let entry = try Scenario().entry()
        #expect(entry.verdict.isAccepted, "\(entry.verdict.why)")
        #expect(entry.verdict.rule == "accepted")
        #expect(entry.verdict.apnsID == "9d1f0a52-1111-4222-8333-abcdefabcdef")
        #expect(entry.findings.isEmpty)
    }

    @Test(arguments: SpoiledRequest.all)
    func `each check refuses with its reason and names itself`(fault: SpoiledRequest) throws {
        let verdict = try Scenario().with(fault.spoil).verdict()
        #expect(verdict.reason == fault.reason)
        #expect(verdict.rule == fault.check)
        #expect(verdict.why.split(separator: " ").count >= 5, "a sentence: \(verdict.why)")
        #expect(!verdict.why.contains(Scenario.token), "no whole device token in a message")
        let check = try #require(Checks.table.first { $0.id == fault.check })
        #expect(check.reasons.contains(fault.reason))
    }

    @Test(arguments: SpoiledRequest.adjacent)
    func `of two faults the one of the earlier row decides`(pair: SpoiledRequest.Adjacent) throws {
        // The later fault first, so that where both change the same thing the earlier one has it.
        let verdict = try Scenario().with(pair.later.spoil).with(pair.earlier.spoil).verdict()
        #expect(verdict.rule == pair.earlier.check)
    }

    @Test func `the faults cover the table row by row`() {
        #expect(SpoiledRequest.all.map(\.check) == Checks.table.map(\.id))
        #expect(Checks.table.map(\.step) == Checks.table.map(\.step).sorted())
        #expect(Set(Checks.table.map(\.id)).count == Checks.table.count)
    }

    @Test func `every reason for a device send is in the table`() {
        let inTable = Set(Checks.table.flatMap(\.reasons))
        #expect(Reason.deviceReasons.map(\.reason).filter { !inTable.contains($0) }.isEmpty)
    }

    @Test(arguments: [
        (WorldSettings.Availability.failing, Reason.internalServerError), (.overloaded, .serviceUnavailable),
        (.stopping, .shutdown),
    ])
    func `a gateway can be set to fail, to be overloaded and to stop`(
        availability: WorldSettings.Availability, reason: Reason
    ) throws {
        var running = try Scenario().with { $0.settings.availability = availability }.run()
        #expect(try running.send(Scenario()).verdict.reason == reason)
        running.world.settings.availability = .serving
        #expect(try running.send(Scenario()).verdict.isAccepted)
    }

    @Test(arguments: ["background-priority", "payload-empty", "payload-too-large", "payload-json"])
    func `a check that asks a rule has its id`(id: String) throws {
        let rule = try #require(Rule.named(id))
        let check = try #require(Checks.table.first { $0.id == id })
        if let refusal = rule.refusal { #expect(check.reasons == [refusal]) }
    }

    @Test func `the method can be looked at before the path`() throws {
        var scenario = Scenario()
        scenario.head.path = "/"
        scenario.head.method = "GET"
        #expect(try scenario.verdict().reason == .badPath)
        scenario.settings.contested.checksMethodFirst = true
        #expect(try scenario.verdict().reason == .methodNotAllowed)
    }

    @Test func `the topic can be looked at before the device token`() throws {
        var scenario = Scenario()
        scenario.apps = []
        scenario.head.path = "/3/device/cafe"
        #expect(try scenario.verdict().reason == .badDeviceToken)
        scenario.settings.contested.checksTopicFirst = true
        #expect(try scenario.verdict().reason == .topicDisallowed)
    }

    @Test func `settings changed on the way change the order too`() throws {
        var running = try Scenario().run()
        running.world.settings.contested.checksMethodFirst = true
        var head = RequestHead(method: "GET", path: "/")
        head.topic = Scenario.topic
        #expect(running.send(head, []).verdict.reason == .methodNotAllowed)
    }
}
