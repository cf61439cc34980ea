import APNSModel
import Testing

@testable import GatewayCore

/// What a store keeps has every property of what it keeps; a new one must not be forgotten.
@Suite struct DocumentTests {
    private func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

    @Test func `the document of a delivery has all of it`() throws {
        var running = try Scenario().run()
        let judgement = try running.send(Scenario())
        let delivery = try #require(judgement.events.first?.delivery)
        let document = Delivery.Document(
            sequence: 0, uniqueID: delivery.id, apnsID: "", token: delivery.token, environment: .sandbox,
            topic: delivery.topic, pushType: nil, priority: .low, expiration: nil, collapseID: nil, channelID: nil,
            copies: 1)
        // `heldBytes` is computed when a delivery is read.
        #expect(
            names(document).subtracting(["payloadBytes", "uniqueID"]).union(["id", "heldBytes"]) == names(delivery))
    }

    @Test func `the document of a device has all of it`() throws {
        let running = try Scenario().run()
        let device = try #require(running.world.devices(in: .sandbox, limit: 1).devices.first)
        let keys = Set(Device.CodingKeys.allCases.map(\.stringValue))
        // `agedCount` is about a queue of the table, which is made anew when a world is read.
        #expect(keys == names(device).subtracting(["agedCount"]))
    }

    @Test func `the document of a channel has all of it`() throws {
        let running = try ChannelScenario(.broadcast, policy: .mostRecent).run()
        let channel = try #require(running.world.channels(in: .sandbox, limit: 1).channels.first)
        #expect(names(channel.document).union(["subscribers"]) == names(channel))
    }

    @Test func `the document of a key has all of it`() throws {
        let running = try Scenario().run()
        let key = try #require(running.world.registeredKeys.first)
        #expect(names(key.document).subtracting(["publicKey"]) == names(key).subtracting(["verifyingKey"]))
        #expect(try ProviderKey(key.document).isSameKey(as: key))
    }
}
