import Testing

@testable import apns

struct DemoTrafficTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
    func `digits are grouped by three`(number: Int, text: String) {
        #expect(DemoTraffic.grouped(number) == text)
    }

    @Test func `traffic is added, compared and multiplied part by part`() {
        let (one, two) = (DemoTraffic(requests: 1, bytes: 10), DemoTraffic(requests: 3, bytes: 40))
        #expect(two - one == DemoTraffic(requests: 2, bytes: 30))
        #expect((one + two) * 2 == DemoTraffic(requests: 8, bytes: 100))
        #expect(one.text == "1 request, 10 bytes" && two.text == "3 requests, 40 bytes")
    }
}
