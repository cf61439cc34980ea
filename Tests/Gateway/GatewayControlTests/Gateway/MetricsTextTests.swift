import GatewayCore
import Testing

@testable import GatewayControl

struct MetricsTextTests {
    @Test func `a family has help and type, and a sample its labels`() {
        var metrics = MetricsText()
        metrics.family("a_total", "counter", "Help.")
        metrics.sample("a_total", "1")
        metrics.sample("a_total", "2", [("x", "y"), ("z", "")])
        #expect(
            metrics.text == """
                # HELP a_total Help.
                # TYPE a_total counter
                a_total 1
                a_total{x="y",z=""} 2

                """)
    }

    @Test func `a new world has counted nothing`() throws {
        let world = try World(WorldStart(), real: 0)
        var counts = MetricsText()
        counts.add(world.counts, to: "a")
        #expect(
            counts.text == """
                a{outcome="accepted",reason=""} 0
                a{outcome="unprocessed",reason=""} 0

                """)
        var sizes = MetricsText()
        sizes.add(world.payloadSizes, to: "b", unit: 1)
        let lines = sizes.text.split(separator: "\n")
        #expect(lines.count == world.payloadSizes.accepted.bounds.count + 3)
        #expect(lines.first == #"b_bucket{outcome="accepted",reason="",le="128"} 0"#)
        #expect(
            lines.suffix(3).map(String.init) == [
                #"b_bucket{outcome="accepted",reason="",le="+Inf"} 0"#, #"b_sum{outcome="accepted",reason=""} 0"#,
                #"b_count{outcome="accepted",reason=""} 0"#,
            ])
    }

    @Test func `bounds are shown in the unit of the metric`() throws {
        var times = MetricsText()
        times.add(try World(WorldStart(), real: 0).answerTimes, to: "c", unit: 1_000_000)
        #expect(times.text.contains(#"le="0.001"} 0"#) && times.text.contains(#"le="30.0"} 0"#))
    }
}
