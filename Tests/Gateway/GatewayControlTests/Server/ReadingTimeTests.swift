import NIOCore
import Testing

@testable import GatewayControl

struct ReadingTimeTests {
    @Test(arguments: [
        (0, TimeAmount.milliseconds(60_000)), (1, .milliseconds(60_000)), (6 << 10, .milliseconds(61_500)),
        (64 << 10, .seconds(76)), (64 << 20, .seconds(60 + 16_384)),
    ])
    func `an answer gets a minute, and one more second for each 4 KiB`(bytes: Int, limit: TimeAmount) {
        #expect(ReadingTime().limit(forBytes: bytes) == limit)
    }

    @Test func `both parts can be set`() {
        let time = ReadingTime(base: .seconds(5), bytesPerSecond: 1000)
        #expect(time.limit(forBytes: 2500) == .milliseconds(7500))
    }
}
