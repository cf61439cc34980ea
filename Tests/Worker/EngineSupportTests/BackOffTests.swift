import APNSModel
import EngineSupport
import Testing

struct BackOffTests {
    private func wait(after failures: Int, random: Double = 0) -> Duration {
        var backOff = BackOff(first: .milliseconds(100), longest: .seconds(5))
        for _ in 0..<failures { backOff.failed(at: .zero, random: random) }
        return backOff.earliest - .zero
    }

    @Test func `the wait doubles with each failure, up to the longest`() {
        #expect(wait(after: 0) == .zero)
        #expect(
            [1, 2, 3, 6, 7, 1000].map { wait(after: $0) }
                == [100, 200, 400, 3200, 5000, 5000].map { .milliseconds($0) })
    }

    @Test func `chance takes off up to a half, and a success begins anew`() {
        #expect(wait(after: 2, random: 0.5) == .milliseconds(150))
        #expect(wait(after: 2, random: 0.99) > .milliseconds(100))
        var backOff = BackOff(first: .milliseconds(100), longest: .seconds(5))
        for _ in 0..<5 { backOff.failed(at: .zero, random: 0) }
        backOff.succeeded()
        #expect(backOff.failures == 0 && backOff.earliest == .zero)
        backOff.failed(at: .zero, random: 0)
        #expect(backOff.earliest - .zero == .milliseconds(100))
    }
}
