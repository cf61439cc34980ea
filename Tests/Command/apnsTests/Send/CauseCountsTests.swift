import Testing

@testable import apns

struct CauseCountsTests {
    @Test func `causes are listed for each outcome, the most frequent first`() {
        var counts = CauseCounts()
        counts.count("Unregistered", .refused)
        for _ in 0..<3 { counts.count("BadDeviceToken", .refused) }
        counts.count("DeviceTokenNotForTopic", .refused)
        counts.count("connection-lost", .unknown)
        #expect(
            counts.lines == [
                "refused: 3 BadDeviceToken, 1 DeviceTokenNotForTopic, 1 Unregistered", "unknown: 1 connection-lost",
            ])
        #expect(CauseCounts().lines.isEmpty)
    }

    @Test func `a gateway that makes up reasons cannot make it grow`() {
        var counts = CauseCounts()
        for number in 0..<1000 { counts.count("Reason\(number)\u{1B}", .refused) }
        let line = counts.lines.joined()
        #expect(line.hasSuffix("988 others"))
        #expect(!line.contains("\u{1B}"))
    }
}
