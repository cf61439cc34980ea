import Testing

@testable import LoadGenerator

struct NumberTextTests {
    @Test(arguments: [
        (0.0, 2, "0.00"), (1.005, 1, "1.0"), (12.96, 1, "13.0"), (0.0456, 3, "0.046"), (7.5, 0, "8"), (-1, 1, "0.0"),
    ])
    func `numbers are rounded and keep their zeros`(value: Double, places: Int, wanted: String) {
        #expect(value.text(places: places) == wanted)
    }

    @Test(arguments: [(0.5, "0.50"), (5, "5"), (12.5, "12.50"), (0, "0"), (20_000.4, "20000")])
    func `a slow rate has its fraction`(rate: Double, wanted: String) { #expect(rate.rateText == wanted) }

    @Test func `strings are padded and never cut`() {
        #expect("ab".padded(to: 4) == "ab  " && "ab".leftPadded(to: 4) == "  ab")
        #expect("abcde".padded(to: 4) == "abcde" && "abcde".leftPadded(to: 4) == "abcde")
        #expect("7".leftPadded(to: 3, with: "0") == "007")
    }
}
