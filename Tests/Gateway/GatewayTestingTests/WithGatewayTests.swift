import APNSModel
import APNSProvider
import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WithGatewayTests {
    @Test func `a device token of another topic is refused`() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail", topics: ["com.example.chat"]) { gateway in
            var notification = try gateway.notification(to: "ab12", payload: silent)
            notification.topic = try #require(Topic("com.example.chat"))
            let reply = try await gateway.provider.send(notification)
            #expect(reply.reason == .deviceTokenNotForTopic)
            #expect(gateway.deliveries(to: "ab12").isEmpty)
        }
    }

    @Test func `what is accepted reaches the device in order`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            let texts = gateway.deliveries(to: "ab12").map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(texts.map { $0.suffix(3).first } == ["0", "1", "2"])
            #expect(gateway.notifications().map(\.life) == Array(repeating: ["accepted", "delivered"], count: 3))
        }
    }

    @Test func `a device that was away gets the newest`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try gateway.setOnline(false, device: "ab12")
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            #expect(gateway.deliveries(to: "ab12").isEmpty)
            try gateway.setOnline(true, device: "ab12")
            #expect(gateway.deliveries(to: "ab12").count == 1)
            #expect(gateway.notifications().last?.life == ["accepted", "stored", "delivered"])
        }
    }

    @Test func `open registration takes any device token`() async throws {
        try await withGateway(devices: .open) { gateway in
            let reply = try await gateway.push(to: "ff00")
            #expect(reply.isAccepted)
        }
    }

    @Test func `the same seed gives the same ids`() async throws {
        func ids() async throws -> [String] {
            try await withGateway(device: "ab12", seed: 7) { gateway in
                for _ in 0..<3 { try await gateway.push(to: "ab12") }
                return gateway.deliveries(to: "ab12").map(\.uniqueID)
            }
        }
        let first = try await ids()
        let second = try await ids()
        #expect(first.count == 3)
        #expect(first == second)
    }

    @Test func `arguments that cannot be are reported`() async throws {
        await #expect(throws: TestGatewayError.self) { try await withGateway(topic: "a b") { _ in } }
        await #expect(throws: TestGatewayError.self) { try await withGateway(device: "abc") { _ in } }
    }

    @Test func `an error of the body comes through`() async throws {
        struct Own: Error {}
        await #expect(throws: Own.self) { try await withGateway { _ in throw Own() } }
    }
}
