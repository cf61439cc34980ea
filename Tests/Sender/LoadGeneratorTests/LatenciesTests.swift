import Testing

@testable import LoadGenerator

struct LatenciesTests {
    @Test func `percentiles are exact to three digits`() {
        var latencies = Latencies()
        for millisecond in 1...1000 { latencies.record(.milliseconds(millisecond)) }
        #expect(latencies.count == 1000)
        #expect(isNear(latencies.percentile(50), .milliseconds(500)))
        #expect(isNear(latencies.percentile(99), .milliseconds(990)))
        #expect(isNear(latencies.percentile(99.9), .milliseconds(999)))
        #expect(isNear(latencies.maximum, .milliseconds(1000)))
        #expect(isNear(latencies.mean, .microseconds(500_500)))
    }

    @Test func `a latency that is too long or negative is still counted`() {
        var latencies = Latencies()
        latencies.record(.seconds(100_000))
        latencies.record(.seconds(-1))
        #expect(latencies.count == 2)
        #expect(latencies.maximum == .seconds(3600))
        #expect(latencies.percentile(50) < .microseconds(1))
    }

    @Test func `without latencies there is no curve`() {
        let latencies = Latencies()
        #expect(latencies.curve.isEmpty)
        #expect(latencies.percentile(99) == .zero)
        #expect(latencies.maximum == .zero)
    }

    @Test func `the curve rises to the maximum`() {
        var latencies = Latencies()
        for millisecond in 1...500 { latencies.record(.milliseconds(millisecond)) }
        let curve = latencies.curve
        #expect(curve.map(\.latency) == curve.map(\.latency).sorted())
        #expect(curve.last?.latency == latencies.maximum)
        #expect(curve.last?.percentile == 100)
    }

    private func isNear(_ latency: Duration, _ wanted: Duration) -> Bool {
        abs(latency / wanted - 1) < 0.002
    }
}
