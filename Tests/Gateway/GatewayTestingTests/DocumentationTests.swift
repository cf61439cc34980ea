import APNSModel
import APNSPayload
import APNSProvider
import GatewayTesting
import ProviderToken
import Testing

/// The examples of docs/testing.md and of the library's page; `PageTests` compares them.
struct DocumentationTests {
    @Test func `an alert is sent once`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
            let sender = Sender(gateway.provider)
            try await sender.greet("ab12")
            await gateway.expect(
                .accepted(to: "ab12", pushType: .alert, payload: ["aps": ["alert": "Hello"]]), count: .once)
        }
    }

    @Test func `a device that was away gets the newest`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device()
            try device.goOffline()
            for number in 1...3 {
                _ = try await gateway.provider.send(
                    gateway.notification(
                        to: device.hex, payload: #"{"aps":{"content-available":1},"number":\#(number)}"#))
            }
            try device.goOnline()
            let delivery = try await device.delivery()
            #expect(String(decoding: delivery.payload, as: UTF8.self).contains(#""number":3"#))
            #expect(device.deliveries.count == 1)
        }
    }

    @Test func `what has expired is not delivered`() async throws {
        try await withGateway(clock: .manual()) { gateway in
            let device = try gateway.device()
            try device.goOffline()
            var notification = try gateway.notification(to: device.hex, payload: #"{"aps":{"content-available":1}}"#)
            notification.expiration = Expiration(secondsSince1970: gateway.now + 600)
            _ = try await gateway.provider.send(notification)
            gateway.advance(by: .seconds(600))
            try device.goOnline()
            #expect(device.deliveries.isEmpty)
        }
    }

    @Test func `a refusal for now is tried again`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
            try gateway.add(.refuse(.serviceUnavailable), count: 2)
            try await Sender(gateway.provider).greetUntilAccepted("ab12")
            await gateway.expect(.refused(.serviceUnavailable), count: .exactly(2))
            await gateway.expect(.accepted(), count: .once)
        }
    }

    @Test func `each case begins with the same devices`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let before = gateway.snapshot()
            for payload in [#"{"aps":{"content-available":1}}"#, #"{"aps":{"content-available":1},"number":1}"#] {
                _ = try await gateway.provider.send(gateway.notification(to: "ab12", payload: payload))
                #expect(gateway.notifications().count == 1)
                try gateway.uninstall(device: "ab12")
                gateway.restore(before)
            }
            #expect(gateway.notifications().isEmpty)
        }
    }

    @Test func `a sender of another make is accepted`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let status = try await gateway.withFiles { ca, key in
                try await run(
                    "apns", "send", "--gateway", gateway.url, "--ca", ca, "--key", key, "--team-id",
                    gateway.teamID.value, "--topic", gateway.topic.value, "--token", "ab12", "--alert", "Hello")
            }
            #expect(status == 0)
            await gateway.expect(.delivered(to: "ab12"), count: .once)
        }
    }
}

/// Stands for the code under test.
struct Sender {
    let provider: PushProvider

    init(_ provider: PushProvider) { self.provider = provider }

    func greet(_ device: String) async throws { _ = try await reply(device) }

    func greetUntilAccepted(_ device: String) async throws {
        for _ in 0..<10 where try await reply(device).isAccepted { return }
        Issue.record("ten refusals")
    }

    private func reply(_ device: String) async throws -> Reply {
        try await provider.send(
            APNSNotification(
                to: #require(DeviceToken(device)), topic: #require(Topic("com.example.mail")), pushType: .alert,
                payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8)))
    }
}
