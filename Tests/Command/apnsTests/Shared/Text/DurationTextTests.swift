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
}
