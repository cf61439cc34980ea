import APNSModel
import APNSProvider
import HTTP2Session
import MetricsTestKit
import ProviderMetrics
import Testing

struct PushProviderMetricsTests {
    private static func with(
        script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        change: (inout ProviderConfiguration) -> Void = { _ in }, _ body: (PushProvider) async throws -> Void
    ) async throws -> TestMetrics {
        let factory = TestMetrics()
        try await ScriptedGateway.with(script: script) { _, configuration in
            var configuration = configuration
            configuration.metrics = PushMetrics(factory)
            change(&configuration)
            let provider = try PushProvider(configuration)
            try await body(provider)
            await provider.close()
        }
        return factory
    }

    /// Counts by outcome and reason, as the dimensions say.
    private static func outcomes(_ factory: TestMetrics) -> [String: Int64] {
        var outcomes: [String: Int64] = [:]
        for counter in factory.counters(label: "apns_provider_notifications_total") where counter.totalValue > 0 {
            let name = counter.dimensions.filter { $0.0 != "gateway" }.map(\.1).filter { !$0.isEmpty }
                .joined(separator: " ")
            outcomes[name, default: 0] += counter.totalValue
        }
        return outcomes
    }

    @Test func `every outcome of a bulk send is counted once, over all event loops`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number % 10 {
            case 0: .refuse(.unregistered)
            case 1: .refuse(Reason("MadeUp\($0.number)", 400))
            case 2: .reset(.internalError)
            default: .accept
            }
        }
        let factory = try await Self.with(script: script) {
            ($0.eventLoops, $0.connections) = (2, 2)
        } _: { provider in
            for try await _ in provider.send(all: Numbers(count: 2000)) {}
            for try await _ in provider.send(all: Numbers(count: 5) { TestNotifications.invalid($0) }) {}
        }
        #expect(
            Self.outcomes(factory) == [
                "accepted": 1400, "refused Unregistered": 200, "refused other": 200, "unknown stream-reset": 200,
                "unsent invalid-notification": 5,
            ])
        #expect(factory.timers(label: "apns_provider_latency_seconds").first?.values.count == 1800)
        for name in ["queued", "in_flight", "waiting", "connections"] {
            let meters = factory.meters(label: "apns_provider_" + name)
            #expect(meters.count == 1 && meters.first?.lastValue == 0, "\(name)")
        }
        #expect((1...2).contains(factory.counterTotal(label: "apns_provider_connects_total")))
    }

    @Test func `single notifications are counted, also those that never came to the gateway`() async throws {
        let factory = try await Self.with(script: { _ in .accept }) { provider in
            _ = try await provider.send(TestNotifications.notification(1))
            _ = try? await provider.send(TestNotifications.invalid())
            await provider.close()
            _ = try? await provider.send(TestNotifications.notification(2))
        }
        #expect(
            Self.outcomes(factory) == [
                "accepted": 1, "unsent invalid-notification": 1, "unsent provider-closed": 1,
            ])
    }

    @Test func `what ends without a connection is counted while the provider is open`() async throws {
        let factory = TestMetrics()
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            var configuration = configuration
            configuration.metrics = PushMetrics(factory)
            let provider = try PushProvider(configuration)
            for try await _ in provider.send(all: Numbers(count: 5) { TestNotifications.invalid($0) }) {}
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await provider.send(TestNotifications.notification(1))
            }
            _ = await task.result
            #expect(Self.outcomes(factory) == ["unsent invalid-notification": 5, "unsent cancelled": 1])
            await provider.close()
        }
    }
}
