import APNSModel
import APNSPayload
import Testing

@testable import GatewayCore

struct ChannelChecksTests {
    @Test(arguments: [RequestKind.broadcast, .createChannel, .readChannel, .listChannels, .deleteChannel])
    func `a request without a fault is accepted with the status of its kind`(kind: RequestKind) throws {
        let judgement = try ChannelScenario(kind).judgement()
        #expect(judgement.verdict.isAccepted, "\(judgement.verdict.why)")
        #expect(judgement.verdict.uniqueID == nil)
        let response = try #require(judgement.response)
        #expect(response.status == kind.acceptedStatus)
        #expect(response.headers[1].name == "apns-request-id")
        #expect(response.headers[1].value == ChannelScenario.requestID)
    }

    @Test(arguments: SpoiledChannelRequest.broadcasts + SpoiledChannelRequest.management)
    func `each check refuses with its reason and names itself`(fault: SpoiledChannelRequest) throws {
        var scenario = ChannelScenario(fault.kind).with(fault.spoil)
        if fault.kind == .unknownChannelRequest { scenario.role = .manage }
        let judgement = try scenario.judgement()
        let verdict = judgement.verdict
        #expect(verdict.reason == fault.reason)
        #expect(verdict.rule == fault.check)
        #expect(verdict.why.split(separator: " ").count >= 5, "a sentence: \(verdict.why)")
        #expect(judgement.response?.headers[1].name == "apns-request-id")
        let table = fault.kind == .broadcast ? Checks.broadcastTable : Checks.managementTable
        let check = try #require(table.first { $0.id == fault.check })
        #expect(check.reasons.contains(fault.reason))
    }

    @Test func `the faults cover the tables row by row`() {
        #expect(SpoiledChannelRequest.broadcasts.map(\.check) == Checks.broadcastTable.map(\.id))
        #expect(SpoiledChannelRequest.management.map(\.check) == Checks.managementTable.map(\.id))
    }

    @Test func `every reason for channels is in a table, except those that only faults bring about`() {
        let inTables = Set((Checks.broadcastTable + Checks.managementTable).flatMap(\.reasons))
        #expect(Reason.broadcastReasons.map(\.reason).filter { !inTables.contains($0) }.isEmpty)
    }

    @Test(arguments: [
        (#"{"message-storage-policy":0}"#, Reason.missingPushType), ("{", .badRequestPayload),
        (#"{"push-type":"LiveActivity"}"#, .missingChannelQueueSize), ("\u{feff}{}", .badRequestPayload),
        (#"{"message-storage-policy":"0","push-type":"LiveActivity"}"#, .missingChannelQueueSize),
        (#"{"message-storage-policy":1.0,"push-type":"LiveActivity"}"#, .missingChannelQueueSize),
        (#"{"message-storage-policy":0,"message-storage-policy":1,"push-type":"LiveActivity"}"#, .badRequestPayload),
        (#"{"message-storage-policy":0,"push-type":["LiveActivity"]}"#, .invalidPushType),
    ])
    func `a body that describes no channel is refused`(body: String, reason: Reason) throws {
        let verdict = try ChannelScenario(.createChannel).with { $0.body = Array(body.utf8) }.judgement().verdict
        #expect(verdict.reason == reason)
    }

    @Test func `the management port asks for credentials first and takes nothing else`() throws {
        var scenario = ChannelScenario(.broadcast)
        scenario.role = .manage
        #expect(try scenario.judgement().verdict.reason == .badPath)
        scenario.scenario.hasAuthorization = false
        #expect(try scenario.judgement().verdict.reason == .missingProviderToken)
        var listing = ChannelScenario(.listChannels)
        listing.role = .manage
        #expect(try listing.judgement().verdict.isAccepted)
    }

    @Test func `the push type of a broadcast is read in any case of letters`() throws {
        #expect(
            try ChannelScenario(.broadcast).with { $0.head.pushType = "LiveActivity" }.judgement().verdict.isAccepted)
        let alert = ChannelScenario(.broadcast).with { $0.head.pushType = "alert" }
        #expect(try alert.judgement().verdict.reason == .invalidPushType)
    }

    @Test func `a broadcast may have its id in either header`() throws {
        let scenario = ChannelScenario(.broadcast).with {
            $0.head.requestID = nil
            $0.head.apnsID = "9D1F0A52-1111-4222-8333-ABCDEFABCDEF"
        }
        #expect(try scenario.judgement().verdict.apnsID == "9D1F0A52-1111-4222-8333-ABCDEFABCDEF")
        let bad = scenario.with { $0.head.apnsID = "x" }
        #expect(try bad.judgement().verdict.reason == .badMessageID)
    }

    @Test func `expiration and priority may be left out where the setting has it so`() throws {
        let scenario = ChannelScenario(.broadcast, policy: .mostRecent).with {
            $0.settings.contested.acceptsBroadcastsWithDefaults = true
            $0.head.expiration = nil
            $0.head.priority = nil
        }
        var running = try scenario.run()
        #expect(try running.send(scenario.scenario).verdict.isAccepted)
        #expect(running.channel?.stored?.expiresAt == running.now + 8 * 3_600_000)
    }

    @Test func `exactly 5120 bytes are accepted, and are no finding`() throws {
        let scenario = ChannelScenario(.broadcast).with {
            $0.body += Array(repeating: 0x20, count: 5120 - $0.body.count)
        }
        var running = try scenario.run()
        let judgement = try running.send(scenario.scenario)
        #expect(judgement.verdict.isAccepted)
        let findings = running.world.notification(judgement.sequence)?.findings
        #expect(findings?.contains { $0.rule == "payload-too-large" } == false)
    }

    @Test func `a certificate manages the channels of its topic alone`() throws {
        func reason(_ topic: String) throws -> Reason? {
            let scenario = ChannelScenario(.listChannels).with {
                $0.certificate = ClientCertificate(environments: [.sandbox], uid: topic)
                $0.hasAuthorization = false
            }
            return try scenario.judgement().verdict.reason
        }
        #expect(try reason(Scenario.topic) == nil)
        #expect(try reason("com.example.other") == .topicMismatch)
    }

    @Test func `a channel of the other environment is not registered here`() throws {
        let scenario = ChannelScenario(.readChannel).with {
            $0.keyEnvironments = [.sandbox, .production]
            $0.before.append { $0.connection = GatewayConnection(environment: .production) }
        }
        let verdict = try scenario.judgement().verdict
        #expect(verdict.reason == .channelNotRegistered)
        #expect(verdict.why.contains("it belongs to sandbox"))
    }
}
