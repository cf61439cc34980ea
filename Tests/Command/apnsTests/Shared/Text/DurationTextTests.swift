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
        (Duration.zero, "0 s"), (.milliseconds(1), "1 s"), (.seconds(59), "59 s"), (.seconds(200), "3 min 20 s"),
        (.seconds(7500), "2 h 5 min"),
    ])
    func `the time that is left is shown in whole units`(duration: Duration, text: String) {
        #expect(DurationText.rest(duration) == text)
    }
}
