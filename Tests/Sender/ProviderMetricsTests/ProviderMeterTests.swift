import CoreMetrics
import MetricsTestKit
import Testing

@testable import ProviderMetrics

struct ProviderMeterTests {
    private static let gateway = ("gateway", "localhost:2197")

    private static func meter(_ factory: TestMetrics, loops: Int = 1) throws -> ProviderMeter {
        try #require(
            ProviderMeter(
                PushMetrics(factory, dimensions: [("team", "A")]), gateway: "localhost:2197", loops: loops))
    }

    private static func total(_ factory: TestMetrics, _ label: String, _ more: (String, String)...) -> Int64? {
        try? factory.expectCounter(label, [gateway, ("team", "A")] + more).totalValue
    }

    private static func level(_ factory: TestMetrics, _ label: String) -> Double? {
        try? factory.expectMeter(label, [gateway, ("team", "A")]).lastValue
    }

    @Test func `without a backend there is no meter`() {
        #expect(ProviderMeter(.none, gateway: "localhost:443", loops: 1) == nil)
        // Nothing is bootstrapped in a test.
        #expect(ProviderMeter(PushMetrics(), gateway: "localhost:443", loops: 1) == nil)
    }

    @Test func `the factory of the current task is used`() {
        let factory = TestMetrics()
        let meter = withMetricsFactory(factory) {
            ProviderMeter(PushMetrics(), gateway: "localhost:443", loops: 1)
        }
        #expect(meter != nil && !factory.counters.isEmpty)
    }

    @Test func `outcomes are counted by reason, and each report starts at zero`() throws {
        let factory = TestMetrics()
        let meter = try Self.meter(factory)
        var tally = MetricsTally()
        for _ in 1...3 { tally.countAccepted() }
        tally.count("refused", reason: "Unregistered")
        tally.count("refused", reason: "Unregistered")
        tally.count("unsent", reason: "deadline-exceeded")
        tally.connectsFailed = 2
        tally.connectsOpened = 1
        for _ in 1...2 { meter.report(&tally, MetricsLevels(), waiting: 0, loop: 0) }
        meter.count("unsent", reason: "queue-full")

        let name = "apns_provider_notifications_total"
        #expect(Self.total(factory, name, ("outcome", "accepted"), ("reason", "")) == 3)
        #expect(Self.total(factory, name, ("outcome", "refused"), ("reason", "Unregistered")) == 2)
        #expect(Self.total(factory, name, ("outcome", "unsent"), ("reason", "deadline-exceeded")) == 1)
        #expect(Self.total(factory, name, ("outcome", "unsent"), ("reason", "queue-full")) == 1)
        #expect(Self.total(factory, "apns_provider_connects_total", ("result", "opened")) == 1)
        #expect(Self.total(factory, "apns_provider_connects_total", ("result", "failed")) == 2)
    }

    @Test func `levels are the sums of all event loops`() throws {
        let factory = TestMetrics()
        let meter = try Self.meter(factory, loops: 2)
        var tally = MetricsTally()
        meter.report(&tally, MetricsLevels(queued: 5, inFlight: 10, connections: 1), waiting: 7, loop: 0)
        meter.report(&tally, MetricsLevels(queued: 1, inFlight: 2, connections: 1), waiting: 4, loop: 1)
        meter.report(&tally, MetricsLevels(queued: 0, inFlight: 3, connections: 1), waiting: 4, loop: 1)
        #expect(Self.level(factory, "apns_provider_queued") == 5)
        #expect(Self.level(factory, "apns_provider_in_flight") == 13)
        #expect(Self.level(factory, "apns_provider_connections") == 2)
        #expect(Self.level(factory, "apns_provider_waiting") == 4)
    }

    @Test func `the latency is a timer`() throws {
        let factory = TestMetrics()
        try Self.meter(factory).answered(afterNanoseconds: 1_500_000)
        let timer = try factory.expectTimer("apns_provider_latency_seconds", [Self.gateway, ("team", "A")])
        #expect(timer.values == [1_500_000])
    }
}
