import APNSModel
import APNSProvider
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct GatewayFaultTests {
    private static func send(_ gateway: TestGateway, to device: String = "ab12") async throws -> Reply {
        try await gateway.provider.send(
            gateway.notification(to: device, payload: #"{"aps":{"content-available":1}}"#))
    }

    @Test func `a refusal hits once and then ends`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let fault = try gateway.add(.refuse(.tooManyRequests))
            #expect(fault.uses == 0)
            #expect(try await GatewayFaultTests.send(gateway).reason == .tooManyRequests)
            #expect(fault.uses == nil)
            #expect(try await GatewayFaultTests.send(gateway).isAccepted)
        }
    }

    @Test func `a fault is for one device, until it is removed`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let device = try gateway.device("cd34")
            let fault = try gateway.add(.refuse(.internalServerError), to: .device(device), count: nil)
            #expect(try await GatewayFaultTests.send(gateway).isAccepted)
            for _ in 0..<2 {
                #expect(try await GatewayFaultTests.send(gateway, to: "cd34").reason == .internalServerError)
            }
            #expect(fault.uses == 2)
            fault.remove()
            #expect(try await GatewayFaultTests.send(gateway, to: "cd34").isAccepted)
        }
    }

    @Test func `a fault ends by the gateway's clock`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try gateway.add(.refuse(.serviceUnavailable), count: nil, for: .seconds(60))
            #expect(try await GatewayFaultTests.send(gateway).reason == .serviceUnavailable)
            gateway.advance(by: .seconds(60))
            #expect(try await GatewayFaultTests.send(gateway).isAccepted)
        }
    }

    @Test func `an answer that is held back comes when the clock has moved on`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try gateway.add(.delay(.seconds(30)))
            async let reply = GatewayFaultTests.send(gateway)
            await gateway.expect(.accepted(), count: .once, within: .seconds(300))
            gateway.advance(by: .seconds(30))
            #expect(try await reply.isAccepted)
        }
    }

    @Test func `what is lost never arrives, and what is duplicated arrives twice`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device("ab12")
            try gateway.add(.lose)
            #expect(try await GatewayFaultTests.send(gateway).isAccepted)
            #expect(device.deliveries.isEmpty)
            try gateway.add(.duplicate())
            #expect(try await GatewayFaultTests.send(gateway).isAccepted)
            #expect(device.deliveries.count == 2)
        }
    }

    /// A stream or connection that is lost before the request was judged costs nothing.
    @Test(arguments: [
        GatewayFault.reset(), .goAway(lastStream: .previous), .goAway(isTwice: true), .maximumConcurrentStreams(1),
        .offline(for: .fixed(.seconds(1))), .slowBody(.uniform(.zero ... .milliseconds(2))),
        .delay(.logNormal(median: .milliseconds(1), sigma: 0.5)), .window(0, for: .fixed(.milliseconds(1))),
        .slowAccept(.fixed(.milliseconds(1))),
    ])
    func `the provider gets over it`(fault: GatewayFault) async throws {
        try await withGateway(device: "ab12") { gateway in
            try gateway.add(fault)
            for _ in 0..<3 { #expect(try await GatewayFaultTests.send(gateway).isAccepted) }
            #expect(gateway.notifications().filter(\.isAccepted).count == 3)
        }
    }

    @Test func `a request that may have been processed is reported as such`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try gateway.add(.disconnect(.after))
            let error = await #expect(throws: APNSSendError.self) { _ = try await GatewayFaultTests.send(gateway) }
            #expect(error?.isSafeToRetry == false)
            await gateway.expect(.accepted(), count: .once)
        }
    }

    @Test func `impossible faults are reported`() async throws {
        try await withGateway { gateway in
            #expect(throws: TestGatewayError.self) { try gateway.add(.lose, count: 0) }
            #expect(throws: TestGatewayError.self) { try gateway.add(.lose, probability: 1.5) }
            #expect(throws: TestGatewayError.self) { try gateway.add(.lose, to: FaultMatch(device: "abc")) }
            #expect(throws: TestGatewayError.self) {
                try gateway.add(.slowAccept(.never), to: FaultMatch(pushType: .alert))
            }
        }
    }
}
