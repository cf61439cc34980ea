import Testing

@testable import APNSProvider

struct BackOffTests {
    @Test func `the wait doubles up to the longest and loses up to a half of itself`() {
        var backOff = BackOff(first: .seconds(1), longest: .seconds(10), seed: 3)
        for wanted in [1, 2, 4, 8, 10, 10] {
            let wait = backOff.failed()
            #expect(wait <= .seconds(wanted) && wait >= .milliseconds(wanted * 500))
        }
        backOff.succeeded()
        #expect(backOff.failed() <= .seconds(1))
    }

    @Test func `after a working connection broke, the wait is the first one, minus up to a half`() {
        var backOff = BackOff(first: .seconds(1), longest: .milliseconds(800), seed: 3)
        for _ in 0..<5 { _ = backOff.failed() }
        for _ in 0..<20 {
            let wait = backOff.pause()
            #expect(wait <= .milliseconds(800) && wait >= .milliseconds(400))
        }
        #expect(backOff.failures == 5)
    }

    @Test func `different seeds come back at different times`() {
        let waits = (0..<20 as Range<UInt64>).map { seed in
            var backOff = BackOff(first: .seconds(1), longest: .seconds(10), seed: seed)
            return backOff.failed()
        }
        #expect(Set(waits).count > 15)
    }

    @Test func `very many failures do not overflow`() {
        var backOff = BackOff(first: .seconds(1), longest: .seconds(1 << 40), seed: 1)
        for _ in 0..<200 { #expect(backOff.failed() >= .milliseconds(500)) }
    }
}
