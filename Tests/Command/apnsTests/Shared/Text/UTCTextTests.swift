import Testing

@testable import apns

struct UTCTextTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01 00:00:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
        (951_782_400, "2000-02-29 00:00:00 UTC"), (1_795_249_154, "2026-11-21 08:19:14 UTC"),
        (253_402_300_799, "9999-12-31 23:59:59 UTC"), (.max, "9223372036854775807 s since 1970"),
    ])
    func `a moment is shown in UTC`(seconds: Int64, text: String) {
        #expect(UTCText.text(seconds) == text)
    }
}
