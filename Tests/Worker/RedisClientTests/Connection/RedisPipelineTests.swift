import APNSModel
import Testing

@testable import RedisClient

struct RedisPipelineTests {
    private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func `replies go to the requests in their order, all of a request together`() {
        var pipeline = RedisPipeline<String>(maximumRequests: 10, maximumBytes: 1000)
        pipeline.sent("one", count: 2, byteCount: 10, deadline: time(9))
        pipeline.sent("two", count: 1, byteCount: 10, deadline: time(5))
        #expect(pipeline.deadline == time(5))
        guard case .nothing = pipeline.received(.integer(1)) else {
            Issue.record("too early")
            return
        }
        guard case .answer("one", [.integer(1), .integer(2)]) = pipeline.received(.integer(2)) else {
            Issue.record("not the first request")
            return
        }
        guard case .answer("two", [.null]) = pipeline.received(.null) else {
            Issue.record("not the second request")
            return
        }
        #expect(pipeline.isEmpty && pipeline.byteCount == 0)
        guard case .unexpected = pipeline.received(.null) else {
            Issue.record("nobody asked for it")
            return
        }
    }

    @Test func `requests and their bytes are bounded`() {
        var pipeline = RedisPipeline<Int>(maximumRequests: 2, maximumBytes: 100)
        #expect(pipeline.refusal(byteCount: 101)?.code == .requestTooLarge)
        pipeline.sent(1, count: 1, byteCount: 60, deadline: .zero)
        #expect(pipeline.refusal(byteCount: 41)?.code == .tooManyRequests)
        #expect(pipeline.refusal(byteCount: 40) == nil)
        pipeline.sent(2, count: 1, byteCount: 1, deadline: .zero)
        #expect(pipeline.refusal(byteCount: 1)?.code == .tooManyRequests)
        #expect(pipeline.end() == [1, 2])
        #expect(pipeline.refusal(byteCount: 100) == nil)
    }
}
