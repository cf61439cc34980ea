import APNSModel
import APNSPayload
import APNSProvider
import GatewayTesting
import Testing

struct GatewayComments {
    @Test func `a push is accepted and delivered`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
            let notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            let reply = try await gateway.provider.send(notification)
            #expect(reply.isAccepted)
            #expect(gateway.deliveries(to: "ab12").count == 1)
        }
    }

    @Test func `faults hit the next request or all to a device`() async throws {
        try await withGateway(clock: .manual()) { gateway in
            let device = try gateway.device()

            try gateway.add(.refuse(.tooManyRequests))  // the next one
            try gateway.add(.delay(.seconds(2)), to: .device(device), count: nil)  // all to this device

            let push = try gateway.notification(to: device.hex, payload: #"{"aps":{"content-available":1}}"#)
            #expect(try await gateway.provider.send(push).reason == .tooManyRequests)
        }
    }

    @Test func `an expectation names parts of the payload`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
            var push = try gateway.notification(to: "ab12", payload: #"{"aps":{"alert":"Hi","badge":3}}"#)
            push.pushType = .alert
            _ = try await gateway.provider.send(push)
            await gateway.expect(.accepted(topic: "com.example.mail", payload: ["aps": ["badge": 3]]), count: .once)
        }
    }

    @Test func `a provider with more connections is accepted too`() async throws {
        try await withGateway(device: "ab12") { gateway in
            var configuration = gateway.configuration
            configuration.connections = 4
            let provider = try PushProvider(configuration)

            let push = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            #expect(try await provider.send(push).isAccepted)
            await provider.close()
        }
    }
}
