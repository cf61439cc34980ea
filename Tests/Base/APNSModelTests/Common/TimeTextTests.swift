import APNSModel
import Testing

struct TimeTextTests {
    @Test(
        arguments: [
            ("250ms", 250), ("5s", 5000), ("55m", 3_300_000), ("2h", 7_200_000), ("30d", 2_592_000_000), ("-5s", -5000),
            ("0s", 0),
        ] as [(String, Int64)])
    func `durations are read`(text: String, milliseconds: Int64) {
        #expect(TimeText.milliseconds(ofDuration: text) == milliseconds)
    }

    @Test(arguments: ["", "5", "s", "5 s", "5w", "1.5s", "--5s", "+5s", "99999999999999999999s", "9999999d", "٥s"])
    func `what is no duration is not read as one`(text: String) {
        #expect(TimeText.milliseconds(ofDuration: text) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("1790000000", 1_790_000_000_000), ("1970-01-01T00:00:00Z", 0),
            ("2026-11-21T07:00:00Z", 1_795_244_400_000), ("2026-11-21T07:00:00.25Z", 1_795_244_400_250),
            ("2026-11-21T09:30:00+02:30", 1_795_244_400_000), ("2026-11-20t23:00:00-08:00", 1_795_244_400_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func `times are read`(text: String, milliseconds: Int64) {
        #expect(TimeText.milliseconds(ofTime: text) == milliseconds)
    }

    @Test(arguments: [
        "", "now", "-1", "+1", "2026-11-21", "2026-11-21T07:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T07:00:00.Z", "2026-11-21T07:00:00+0230", "1969-12-31T23:59:59Z",
        "99999999999999",
    ])
    func `what is no time is not read as one`(text: String) {
        #expect(TimeText.milliseconds(ofTime: text) == nil)
    }

    @Test(arguments: [0, 951_782_400_000, 1_795_244_400_250, 4_107_542_399_999, 253_402_300_799_999] as [Int64])
    func `a time that is written is read again`(time: Int64) {
        #expect(TimeText.milliseconds(ofTime: TimeText.text(time)) == time)
    }

    @Test func `a time is written in UTC with milliseconds`() {
        #expect(TimeText.text(1_795_244_400_250) == "2026-11-21T07:00:00.250Z")
    }
}
