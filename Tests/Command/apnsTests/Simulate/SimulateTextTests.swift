import Testing

@testable import apns

struct SimulateTextTests {
    @Test(arguments: [(Int64(0), "0 min"), (3_599_999, "59 min"), (3_600_000, "1 h 0 min"), (90_060_000, "25 h 1 min")])
    func `simulated time is in hours and minutes`(milliseconds: Int64, text: String) {
        #expect(SimulateText.hours(milliseconds) == text)
    }
}
