import APNSModel
import Testing

@testable import GatewayCore

/// What becomes of channels and of broadcasts.
struct ChannelTests {
    private func text(_ judgement: Judgement) -> String {
        String(decoding: judgement.response?.body ?? [], as: UTF8.self)
    }

    private static func later(_ seconds: Int64) -> String { String(Scenario.start / 1000 + seconds) }

    @Test func `a channel is created, read, listed and deleted`() throws {
        var running = try ChannelScenario(.createChannel).run()
        let created = try running.send(ChannelScenario(.createChannel).scenario)
        let id = try #require(created.response?.channelID)
        #expect(created.response?.headers.last?.name == "apns-channel-id")
        #expect(created.response?.body.isEmpty == true)
        #expect(ChannelID(id) != nil && id.utf8.count == 24)

        let read = try running.send(ChannelScenario(.readChannel).with { $0.head.channelID = id }.scenario)
        #expect(text(read) == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(
            text(try running.send(ChannelScenario(.listChannels).scenario))
                == #"{"channels":["\#(ChannelScenario.id)","\#(id)"]}"#)

        let deleted = try running.send(ChannelScenario(.deleteChannel).with { $0.head.channelID = id }.scenario)
        #expect(deleted.response?.status == 204 && deleted.response?.body.isEmpty == true)
        let sent = try running.send(ChannelScenario(.broadcast).with { $0.head.channelID = id }.scenario)
        #expect(sent.verdict.reason == .channelNotRegistered)
        #expect(
            text(try running.send(ChannelScenario(.listChannels).scenario))
                == #"{"channels":["\#(ChannelScenario.id)"]}"#)
    }

    @Test func `a broadcast reaches every connected device that subscribes`() throws {
        let scenario = ChannelScenario(.broadcast).with {
            $0.devices.append(DeviceRegistration(topic: Scenario.topic, token: "cafe"))
            $0.devices.append(DeviceRegistration(topic: Scenario.topic, token: "beef"))
        }
        var running = try scenario.run()
        for text in ["cafe", "beef"] {
            let token = try #require(DeviceToken(text))
            _ = running.world.subscribe(token, in: .sandbox, real: 0)
        }
        try running.connect()
        try running.subscribe()
        let cafe = try #require(DeviceToken("cafe"))
        _ = try running.world.subscribe(cafe, in: .sandbox, to: [ChannelScenario.id], real: 0)

        let judgement = try running.send(scenario.scenario)
        #expect(judgement.events.map(\.stage) == [.delivered, .delivered])
        #expect(Set(judgement.events.map(\.delivery.token.hex)) == [Scenario.token, "cafe"])
        let delivery = try #require(judgement.events.first?.delivery)
        #expect(delivery.channelID?.base64 == ChannelScenario.id)
        #expect(delivery.topic.value == Scenario.topic + ".push-type.liveactivity")
        #expect(delivery.apnsID == ChannelScenario.requestID)
        let entry = try #require(running.world.notification(judgement.sequence))
        #expect(entry.kind == .broadcast && entry.channelID == ChannelScenario.id && entry.topic == Scenario.topic)
        #expect(entry.life.map(\.stage) == [.accepted, .delivered, .delivered])
        #expect(entry.life.contains { $0.why == "cafe: the device is connected" })
        #expect(Set(judgement.events.map(\.delivery)).count == 2)
    }

    @Test func `a channel that stores nothing reaches only those who are connected`() throws {
        var running = try ChannelScenario(.broadcast).run()
        try running.subscribe()
        let missed = try running.send(ChannelScenario(.broadcast).scenario)
        #expect(running.life(of: missed) == [.dropped])
        #expect(try running.connect().isEmpty)
    }

    @Test func `a broadcast without subscribers is dropped and says so`() throws {
        var running = try ChannelScenario(.broadcast).run()
        let judgement = try running.send(ChannelScenario(.broadcast).scenario)
        #expect(running.life(of: judgement) == [.dropped])
        #expect(
            running.world.notification(judgement.sequence)?.life.last?.why.hasPrefix("no device subscribes") == true)
    }

    @Test func `a channel keeps its most recent message for a device that comes back`() throws {
        var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        try running.subscribe()
        let scenario = ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(3600) }.scenario
        let first = try running.send(scenario)
        let second = try running.send(scenario)
        #expect(running.life(of: first) == [.stored, .stored, .replaced, .replaced])
        #expect(running.channel?.stored?.broadcast.sequence == second.sequence)
        #expect(try running.connect().map(\.delivery.sequence) == [second.sequence])
    }

    @Test func `what is stored for an app and for its channels does not replace each other`() throws {
        var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        try running.subscribe()
        let broadcast = ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(3600) }.scenario
        let judgements = [try running.send(Scenario()), try running.send(broadcast), try running.send(Scenario())]
        #expect(running.life(of: judgements[0]) == [.stored, .replaced])
        #expect(try running.connect().map(\.delivery.sequence).sorted() == [1, 2], "in whatever order")
    }

    @Test func `a stored message ends with its expiration, and after 8 hours at the latest`() throws {
        for (asked, hours) in [(3600, 1), (86_400, 8)] as [(Int64, Int64)] {
            var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
            try running.subscribe()
            let judgement = try running.send(
                ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(asked) }.scenario)
            _ = running.advance(seconds: hours * 3600 - 1)
            #expect(running.channel?.stored != nil)
            let expired = running.advance(seconds: 1)
            #expect(expired.map(\.stage) == [.expired])
            #expect(running.channel?.stored == nil)
            #expect(running.life(of: judgement) == [.stored, .stored, .expired, .expired])
            #expect(try running.connect().isEmpty)
        }
    }

    @Test func `a device that subscribes gets the stored message, and no message twice`() throws {
        var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        try running.connect()
        let judgement = try running.send(
            ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(60) }.scenario)
        #expect(try running.subscribe().map(\.delivery.sequence) == [judgement.sequence])
        #expect(try running.subscribe([]).isEmpty)
        #expect(try running.subscribe().isEmpty)
    }

    @Test func `a device that leaves a channel gets nothing more of it`() throws {
        var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        try running.subscribe()
        let scenario = ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(60) }.scenario
        try running.send(scenario)
        #expect(try running.subscribe([]).map(\.stage) == [.dropped])
        #expect(running.channel?.subscriberCount == 0)
        #expect(try running.send(scenario).events.isEmpty)
    }

    @Test func `an uninstalled app leaves its channels and cannot subscribe`() throws {
        var running = try ChannelScenario(.broadcast).run()
        try running.subscribe()
        _ = running.world.uninstall(try Scenario().deviceToken, in: .sandbox, real: 0)
        #expect(running.channel?.subscriberCount == 0)
        #expect(throws: RegistrationError.self) { try running.subscribe() }
    }

    @Test func `a message stored for a device still arrives after its channel is deleted`() throws {
        var running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        try running.subscribe()
        try running.send(ChannelScenario(.broadcast).with { $0.head.expiration = Self.later(60) }.scenario)
        #expect(try running.send(ChannelScenario(.deleteChannel).scenario).verdict.isAccepted)
        #expect(running.world.device(try Scenario().deviceToken, in: .sandbox)?.channels == [])
        #expect(try running.connect().map(\.stage) == [.delivered])
    }

    @Test func `an app that loses the capability loses its channels`() throws {
        var running = try ChannelScenario(.broadcast).run()
        try running.world.register(RegisteredApp(topic: Scenario.topic, teamID: Keys.team, capabilities: ["push"]))
        #expect(running.channel == nil)
        try running.world.register(RegisteredApp(topic: Scenario.topic, teamID: Keys.team))
        let sent = try running.send(ChannelScenario(.broadcast).scenario)
        #expect(sent.verdict.reason == .channelNotRegistered)
    }

    @Test(arguments: [["AAAA"], ["no base64"], [ChannelScenario.id, "AAAA"]])
    func `a subscription to a channel that the app does not have changes nothing`(ids: [String]) throws {
        var running = try ChannelScenario(.broadcast).run()
        #expect(throws: RegistrationError.noChannel(ids.last ?? "", app: Scenario.topic)) { try running.subscribe(ids) }
        #expect(running.channel?.subscriberCount == 0)
    }

    @Test func `a device token of another kind does not subscribe`() throws {
        var running = try ChannelScenario(.broadcast).with { $0.devices[0].kind = .voip }.run()
        #expect(throws: RegistrationError.self) { try running.subscribe() }
    }

    @Test func `the life of a broadcast is bounded`() throws {
        var scenario = ChannelScenario(.broadcast)
        scenario.scenario.devices = (0..<1100).map { number in
            let digits = String(number, radix: 16)
            return DeviceRegistration(
                topic: Scenario.topic, token: String(repeating: "0", count: 8 - digits.count) + digits)
        }
        var running = try scenario.run()
        for device in running.world.devices(in: .sandbox, limit: 2000).devices {
            _ = try running.world.subscribe(device.token, in: .sandbox, to: [ChannelScenario.id], real: 0)
        }
        let judgement = try running.send(scenario.scenario)
        #expect(judgement.events.count == 1100)
        let life = try #require(running.world.notification(judgement.sequence)?.life)
        #expect(life.count == JournalRecord.maximumLife + 3)
        #expect(life.last?.why.hasPrefix("and more") == true)
    }

    @Test func `the management of channels counts apart from notifications`() throws {
        var running = try ChannelScenario(.broadcast).run()
        try running.send(ChannelScenario(.createChannel).scenario)
        try running.send(ChannelScenario(.broadcast).scenario)
        #expect(running.world.counts.accepted == 1)
        #expect(running.world.channelCounts.accepted == 1)
        var query = NotificationQuery()
        query.kind = .createChannel
        #expect(running.world.notifications(query).total == 1)
    }

    @Test func `a fault rule hits broadcasts by the app in their path`() throws {
        var running = try ChannelScenario(.broadcast).run()
        _ = try running.world.add(
            FaultRule(.refuse(.internalServerError), match: .init(topic: Scenario.topic), count: 1), real: 0)
        #expect(try running.send(ChannelScenario(.broadcast).scenario).verdict.reason == .internalServerError)
        #expect(try running.send(ChannelScenario(.broadcast).scenario).verdict.isAccepted)
    }

    @Test func `a reset takes the channels`() throws {
        var running = try ChannelScenario(.broadcast).run()
        running.world.reset(real: 0)
        #expect(running.channel == nil)
    }
}
