import APNSModel
import Testing

struct PeriodTests {
    @Test(
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (3601, "60 minutes 1 second"),
            (3660, "61 minutes"), (3665, "61 minutes 5 seconds"), (7200, "2 hours"), (7260, "2 hours 1 minute"),
            (172_800, "2 days"), (-45, "45 seconds"), (.min, "106751991167300 days 15 hours"),
        ] as [(Int64, String)])
    func `periods read as people say them`(seconds: Int64, text: String) {
        #expect(Period.text(seconds) == text)
    }

    @Test func `a part of a second counts as one`() {
        #expect(Period.text(milliseconds: 0) == "0 seconds")
        #expect(Period.text(milliseconds: 1) == "1 second")
        #expect(Period.text(milliseconds: 119_001) == "2 minutes")
    }
}
