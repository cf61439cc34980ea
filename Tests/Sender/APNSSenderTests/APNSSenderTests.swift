import APNSSender
import GatewayTesting
import Testing

/// One import has what a server needs: this file names types of each module, and imports no other of the sender.
struct APNSSenderTests {
    @Test func `a push is sent with one import and without a force unwrap`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.agent") { gateway in
            var configuration = ProviderConfiguration(
                gateway: try APNSGateway(parsing: gateway.url),
                credentials: .token(key: gateway.signingKey, keyID: gateway.keyID, teamID: gateway.teamID),
                trust: .authorities(pem: gateway.caPEM))
            configuration.timeout = .seconds(20)
            let provider = try PushProvider(configuration)
            let id = NotificationID()
            let notification = APNSNotification(
                AlertPush("Hello"), to: try DeviceToken(parsing: "ab12"), of: try Topic(parsing: "com.example.agent"),
                id: id)
            let reply = try await provider.send(notification)
            #expect(reply.isAccepted && reply.apnsID == id)
            await provider.close()
        }
    }
}
