import APNSModel
import APNSProvider
import GatewayServer
import GatewayTesting
import Testing

/// The client for channels against the gateway.
@Suite(.timeLimit(.minutes(10))) struct ChannelClientTests {
    private static let update = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#

    @Test func `a channel is created, found, sent to and deleted`() async throws {
        try await withGateway { gateway in
            var configuration = gateway.configuration
            configuration.gateway.port = gateway.running.channelPort
            let manager = try ChannelManager(configuration)
            let id = try await manager.create(for: gateway.topic, storing: .mostRecentMessage)
            let other = try await manager.create(for: gateway.topic, storing: .nothing)
            #expect(Set(try await manager.list(of: gateway.topic)) == [id, other])
            #expect(
                try await manager.read(id, of: gateway.topic)
                    == APNSChannel(id: id, storage: .mostRecentMessage, pushType: "LiveActivity"))

            let broadcast = APNSBroadcast(
                to: id, of: gateway.topic, expiration: .once, payload: Array(Self.update.utf8))
            #expect(try await gateway.provider.send(broadcast).isAccepted)
            var stored = APNSBroadcast(
                to: other, of: gateway.topic, expiration: Expiration(secondsSince1970: 4_000_000_000)!,
                payload: Array(Self.update.utf8))
            #expect(try await gateway.provider.send(stored).reason == .badExpirationDate)
            stored.expiration = .once
            #expect(try await gateway.provider.send(stored).isAccepted)

            try await manager.delete(id, of: gateway.topic)
            #expect(try await manager.list(of: gateway.topic) == [other])
            #expect(try await gateway.provider.send(broadcast).reason == .channelNotRegistered)
            let error = await #expect(throws: ChannelError.self) {
                _ = try await manager.read(id, of: gateway.topic)
            }
            #expect(error?.refusal?.reason == .channelNotRegistered)
            await manager.close()
        }
    }

    @Test func `an app without the capability is refused with a reason`() async throws {
        try await withGateway { gateway in
            let manager = try ChannelManager(gateway.configuration)
            let error = await #expect(throws: ChannelError.self) {
                _ = try await manager.create(for: Topic("com.example.other")!, storing: .nothing)
            }
            #expect(error?.code == .refused && error?.refusal != nil)
            #expect(NotificationID(error?.requestID ?? "") != nil)
            await manager.close()
        }
    }
}
