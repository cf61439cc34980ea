import Testing

@testable import apns

struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0.0 ms"), (.microseconds(3149), "3.1 ms"), (.milliseconds(840), "0.84 s"),
        (.milliseconds(12_449), "12.4 s"), (.seconds(200), "3 min 20 s"),
    ])
    func `a duration is shown with the precision that matters`(duration: Duration, text: String) {
        #expect(DurationText.short(duration) == text)
    }

    @Test(arguments: [
        (Int64(1), "1 second"), (-45, "45 seconds"), (3665, "61 minutes 5 seconds"), (7200, "2 hours"),
        (10_920, "3 hours 2 minutes"), (172_800, "2 days"), (.min, "106751991167300 days 15 hours"),
    ])
    func `an age is shown in its two largest units`(seconds: Int64, text: String) {
        #expect(DurationText.words(seconds: seconds) == text)
    }
}
