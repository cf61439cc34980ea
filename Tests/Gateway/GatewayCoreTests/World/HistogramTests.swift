import APNSModel
import Testing

@testable import GatewayCore

struct HistogramTests {
    @Test func `a value falls into the first range that it is not above`() {
        var histogram = Histogram(bounds: [10, 20])
        for value: Int64 in [0, 10, 11, 20, 21, 1000] { histogram.add(value) }
        #expect(histogram.counts == [2, 2, 2])
        #expect(histogram.total == 6)
        #expect(histogram.sum == 1062)
    }

    @Test func `there are no more reasons than the limit`() {
        var histograms = HistogramsByReason(bounds: [1])
        for number in 0..<RequestCounts.maximumReasons + 20 {
            histograms.add(1, .refused(Reason("R\(number)", 400), timestamp: nil))
        }
        histograms.add(1, .accepted)
        histograms.add(1, .unprocessed)
        #expect(histograms.refused.count == RequestCounts.maximumReasons + 1)
        #expect(histograms.refused[RequestCounts.otherReasons]?.total == 20)
        #expect(histograms.accepted.total == 1)
    }

    @Test func `an answer counts when it goes out`() throws {
        var running = try Scenario().run()
        let request = CompleteRequest(
            stream: 1, head: try Scenario().request(), body: Scenario().body, began: MonotonicTime(nanoseconds: 5000))
        let judgement = running.world.judge(request, on: &running.connection, real: 0)
        running.world.answered([judgement, nil], to: [request, request], at: MonotonicTime(nanoseconds: 65_000))
        #expect(running.world.answerTimes.accepted.sum == 60)
        #expect(running.world.payloadSizes.accepted.sum == Int64(request.body.count))
        running.world.answered(judgement.verdict, after: .seconds(2))
        #expect(running.world.answerTimes.accepted.total == 2)
        running.world.goBack(to: try Scenario().run().world)
        #expect(running.world.answerTimes.accepted.total == 2, "what was answered was answered")
        running.world.reset(real: 0)
        #expect(running.world.answerTimes.accepted.total == 0)
    }
}
