import APNSModel
import Testing

@testable import PostgresClient

struct PostgresPipelineTests {
    private typealias Pipeline = PostgresPipeline<String, Int>

    private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func `the results of a request come together, at its synchronization`() {
        var pipeline = Pipeline(maximumRequests: 5, maximumBytes: 100)
        pipeline.sent("one", steps: ["SELECT", nil, nil], byteCount: 5, deadline: time(9))
        pipeline.sent("two", steps: [nil], byteCount: 5, deadline: time(4))
        #expect(pipeline.deadline == time(4))
        #expect(pipeline.isPreparing)
        guard case .nothing = pipeline.received(.end) else {
            Issue.record("an end of nothing counts")
            return
        }
        guard case .prepared("SELECT") = pipeline.received(.done) else {
            Issue.record("not prepared")
            return
        }
        for event in [Pipeline.Event.end, .rows(1), .end, .rows(2), .end] {
            guard case .nothing = pipeline.received(event) else {
                Issue.record("too early")
                return
            }
        }
        guard case .answer("one", .success([1, 2])) = pipeline.received(.synchronized) else {
            Issue.record("not the first request")
            return
        }
        guard case .nothing = pipeline.received(.rows(3)), case .nothing = pipeline.received(.end),
            case .answer("two", .success([3])) = pipeline.received(.synchronized)
        else {
            Issue.record("not the second request")
            return
        }
        #expect(pipeline.isEmpty)
        guard case .unexpected = pipeline.received(.rows(4)) else {
            Issue.record("nobody asked for it")
            return
        }
    }

    @Test func `the first error of a request is its answer, and later requests are not touched`() {
        var pipeline = Pipeline(maximumRequests: 5, maximumBytes: 100)
        pipeline.sent("one", steps: [nil, nil, nil], byteCount: 5, deadline: time(9))
        pipeline.sent("two", steps: [nil], byteCount: 5, deadline: time(9))
        let error = PostgresError(.full, "full")
        for event in [Pipeline.Event.rows(1), .end, .error(error), .end, .skipped, .end] {
            _ = pipeline.received(event)
        }
        guard case .answer("one", .failure(error)) = pipeline.received(.synchronized) else {
            Issue.record("not the error")
            return
        }
        _ = pipeline.received(.rows(1))
        _ = pipeline.received(.end)
        guard case .answer("two", .success([1])) = pipeline.received(.synchronized) else {
            Issue.record("the second request has an error")
            return
        }
    }

    @Test func `requests and their bytes are bounded`() {
        var pipeline = Pipeline(maximumRequests: 2, maximumBytes: 100)
        #expect(pipeline.refusal(byteCount: 101)?.code == .requestTooLarge)
        pipeline.sent("one", steps: [nil], byteCount: 60, deadline: .zero)
        #expect(pipeline.refusal(byteCount: 41)?.code == .tooManyRequests)
        pipeline.sent("two", steps: [nil], byteCount: 1, deadline: .zero)
        #expect(pipeline.refusal(byteCount: 1)?.code == .tooManyRequests)
        #expect(pipeline.end() == ["one", "two"])
        #expect(pipeline.refusal(byteCount: 100) == nil)
    }
}
