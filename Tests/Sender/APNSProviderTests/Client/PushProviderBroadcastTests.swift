import APNSModel
import HTTP2Session
import Synchronization
import Testing

@testable import APNSProvider

/// Messages to channels, to a gateway on a loopback port.
@Suite(.timeLimit(.minutes(10))) struct PushProviderBroadcastTests {
    private static let requestID = NotificationID("9d1f0a52-1111-4222-8333-abcdefabcdef")!

    private static func broadcast(payload: String = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#)
        -> APNSBroadcast
    {
        APNSBroadcast(
            to: ChannelID("dHN0LXNyY2gtY2hubA==")!, of: Topic("com.example.agent.push-type.liveactivity")!,
            expiration: .once, id: requestID, payload: Array(payload.utf8))
    }

    private static let answerID = NotificationID("0A1B2C3D-4E5F-6789-ABCD-EF0123456789")!

    @Test func `a broadcast carries its headers and its payload byte for byte`() async throws {
        try await ScriptedGateway.with(script: { _ in .answer(200, ["apns-request-id": Self.answerID.text]) }) {
            gateway, configuration in
            let provider = try PushProvider(configuration)
            let reply = try await provider.send(Self.broadcast())
            await provider.close()
            #expect(reply == .accepted(apnsID: Self.answerID, uniqueID: nil))
            let request = try #require(gateway.log.withLock { $0.requests.first })
            #expect(request.body == Self.broadcast().payload)
            var fields = request.fields
            #expect(fields.removeValue(forKey: "authorization")?.hasPrefix("bearer ey") == true)
            #expect(
                fields == [
                    ":method": "POST", ":scheme": "https", ":authority": "localhost:\(gateway.port)",
                    ":path": "/4/broadcasts/apps/com.example.agent", "apns-channel-id": "dHN0LXNyY2gtY2hubA==",
                    "apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": "0",
                    "apns-request-id": Self.requestID.text,
                ])
        }
    }

    @Test func `a broadcast is validated as such, and one without an id gets one`() async throws {
        try await ScriptedGateway.with(script: { _ in .answer(200) }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            var large = Self.broadcast()
            large.payload = Array(
                #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":"\#(String(repeating: "a", count: 5000))"}}}"#
                    .utf8)
            #expect(try await provider.send(large).isAccepted, "5120 bytes are the limit, not 4096")
            large.payload += Array(repeating: UInt8(ascii: " "), count: 200)
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(large) }
            #expect(error?.code == .invalidNotification && error?.isSafeToRetry == true)
            var anonymous = Self.broadcast()
            anonymous.id = nil
            let reply = try await provider.send(anonymous)
            await provider.close()
            let sent = gateway.log.withLock { $0.requests.last?.fields["apns-request-id"] }
            #expect(sent != nil && sent == reply.apnsID?.text)
        }
    }

    @Test func `broadcasts and notifications share connections and invariants`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number {
            case 3: .reset(.refusedStream)
            case 5: .goAwayBefore
            default: .accept
            }
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let accepted = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        number.isMultiple(of: 2)
                            ? try await provider.send(Self.broadcast()).isAccepted
                            : try await provider.send(TestNotifications.notification(number)).isAccepted
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            await provider.close()
            #expect(accepted == 20)
            #expect(gateway.log.withLock { $0.connections } == 2)
        }
    }

    @Test func `a push type that no header can carry is not sent`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var configuration = configuration
            configuration.validates = false
            let provider = try PushProvider(configuration)
            var broadcast = Self.broadcast()
            broadcast.pushType = PushType(rawValue: "liveactivity\r\nx: y")
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(broadcast) }
            await provider.close()
            #expect(error?.code == .invalidNotification)
            #expect(gateway.log.withLock { $0.requests.isEmpty })
        }
    }
}
