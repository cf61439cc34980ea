import APNSModel
import GatewayTestSupport
import GatewayTesting
import TestSupport
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct VerdictsTests {
    private func send(_ gateway: TestGateway, in base: String) async throws {
        let body = #"{"token":"ab12","apns-topic":"\#(gateway.topic.value)","payload":{"aps":{"alert":"Hi"}}}"#
        _ = try await gateway.control.call("POST", base + "/api/notifications", body)
    }

    @Test func `lines come from every world, also of the notification that makes it, and name another than default`()
        async throws
    {
        try await withGateway { gateway in
            let lines = gateway.running.verdicts()
            try await send(gateway, in: "/w/orders")
            try await send(gateway, in: "")
            var named = 0
            // The lines of two worlds come in any order.
            var others = 0
            for await line in lines {
                if line.contains(" [orders] ") { named += 1 } else { others += 1 }
                if named > 0, others > 0 { break }
            }
            #expect(named > 0 && others > 0)
        }
    }

    @Test func `a reader that ends leaves nothing behind in any world`() async throws {
        try await withGateway { gateway in
            try await send(gateway, in: "/w/orders")
            let reader = Task { for await _ in gateway.running.verdicts() {} }
            func areSubscribed(_ isWanted: Bool) async -> Bool {
                await eventually {
                    gateway.running.worlds.all.allSatisfy { world in
                        world.withState { $0.subscribers.hasEventSubscribers } == isWanted
                    }
                }
            }
            #expect(await areSubscribed(true))
            reader.cancel()
            #expect(await areSubscribed(false))
        }
    }
}
