import APNSModel
import APNSProvider
import GatewayTesting
import Testing

@Test func `an uninstalled app gets Unregistered`() async throws {
    try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
        try gateway.uninstall(device: "ab12")
        let notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
        let reply = try await gateway.provider.send(notification)
        #expect(reply.reason == .unregistered)
        #expect(gateway.deliveries(to: "ab12").isEmpty)
    }
}
