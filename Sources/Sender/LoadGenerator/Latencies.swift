import APNSModel
import Histogram

/// A histogram of latencies from a microsecond to an hour, with three significant digits, in a fixed amount of memory.
package struct Latencies: Sendable {
    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1000, highestTrackableValue: longest, numberOfSignificantValueDigits: .three)

    private static let longest: UInt64 = 3_600_000_000_000

    package init() {}

    /// A latency above an hour counts as an hour, a negative one as zero.
    package mutating func record(_ latency: Duration) {
        histogram.record(min(UInt64(max(latency.wholeNanoseconds, 0)), Latencies.longest))
    }

    package var count: Int { Int(histogram.totalCount) }
    package var maximum: Duration { .nanoseconds(Int64(histogram.maxRecorded)) }
    package var mean: Duration { .nanoseconds(Int64(histogram.mean)) }

    /// The latency that `percentile` per cent of the notifications did not exceed; zero without notifications.
    package func percentile(_ percentile: Double) -> Duration {
        .nanoseconds(Int64(histogram.valueAtPercentile(percentile)))
    }

    /// The latencies by percentile. Steps become smaller towards 100.
    package var curve: [(percentile: Double, latency: Duration)] {
        guard count > 0 else { return [] }
        return histogram.percentiles(ticksPerHalfDistance: 5).map { step in
            (step.percentile, .nanoseconds(Int64(min(step.value, histogram.maxRecorded))))
        }
    }
}
