import APNSModel
import APNSProvider
import GatewayTesting
import Testing

struct ManyNotifications {
    @Test func `each notification of a sequence has its result`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let provider = gateway.provider
            let one = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            let notifications = AsyncStream { stream in
                for _ in 0..<3 { stream.yield(one) }
                stream.finish()
            }
            var printed: [String] = []
            func print(_ index: Int, _ word: String) { printed.append("\(index) \(word)") }

            for try await result in provider.send(all: notifications) {
                print(result.index, result.outcome.name)
            }

            #expect(printed.sorted() == ["0 accepted", "1 accepted", "2 accepted"])
        }
    }

    @Test func `a task sends where the connections live`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let provider = gateway.provider
            let one = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            let orders = AsyncStream { stream in
                for order in 0..<3 { stream.yield(order) }
                stream.finish()
            }
            @Sendable func notification(for order: Int) -> APNSNotification { one }

            let sending =
                Task(executorPreference: provider.executor) {
                    for try await order in orders { _ = try await provider.send(notification(for: order)) }
                }

            try await sending.value
            await gateway.expect(.accepted(), count: .exactly(3))
        }
    }
}
