import Testing

@testable import LoadGenerator

struct LatencyChartTests {
    @Test(arguments: [(0.0, 0.0), (90, 1), (99, 2), (99.9, 3)])
    func `each mark leaves a tenth of what the mark before left`(percentile: Double, wanted: Double) {
        #expect(abs(LatencyChart.position(of: percentile) - wanted) < 1e-6)
    }

    @Test func `marks are named by their percentile`() {
        #expect((0...4).map { LatencyChart.name(ofMark: $0) } == ["0%", "90%", "99%", "99.9%", "99.99%"])
    }

    @Test(arguments: [(0.0, 0.001), (0.9, 1), (1, 1), (1.1, 2), (3.4, 5), (5.1, 10), (4200, 5000)])
    func `the scale ends at a round number above the largest latency`(value: Double, wanted: Double) {
        #expect(abs(LatencyChart.ceiling(above: value) / wanted - 1) < 1e-9)
    }

    @Test(arguments: [0, 1, 5000])
    func `every point is inside the chart`(count: Int) throws {
        let points = try points(of: LatencyChart(summary(count)).svg)
        #expect(points.isEmpty == (count == 0))
        #expect(points.allSatisfy { (80...730).contains($0.0) && (80...360).contains($0.1) })
    }

    @Test func `the curve goes right and up`() throws {
        let points = try points(of: LatencyChart(summary(5000)).svg)
        #expect(points.map(\.0) == points.map(\.0).sorted())
        #expect(points.map(\.1) == points.map(\.1).sorted(by: >))
        #expect(points.last?.0 == 730)
    }

    @Test func `text is escaped`() {
        var summary = summary(1)
        summary.gateway = #"<"&">"#
        #expect(LatencyChart(summary).svg.contains("&lt;&quot;&amp;&quot;&gt;"))
    }

    private func summary(_ count: Int) -> LoadSummary {
        var record = LoadRecord(warmUp: 0)
        for index in 0..<count { _ = record.count(.accepted, of: index, latency: .microseconds(index + 1)) }
        return LoadSummary(
            gateway: "https://127.0.0.1:8443", connections: 1, tasks: 8, wantedRate: nil, payloadBytes: 170,
            record: record, submitted: count, elapsed: .seconds(1), cpu: .seconds(1), peakMemoryBytes: 1,
            isInterrupted: false)
    }

    private func points(of svg: String) throws -> [(Double, Double)] {
        let start = try #require(svg.firstRange(of: "points=\""))
        let text = svg[start.upperBound...].prefix { $0 != "\"" }
        return try text.split(separator: " ").map { point in
            let numbers = point.split(separator: ",").compactMap { Double($0) }
            try #require(numbers.count == 2)
            return (numbers[0], numbers[1])
        }
    }
}
