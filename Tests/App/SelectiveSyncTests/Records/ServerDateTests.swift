import SelectiveSync
import Testing

struct ServerDateTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000+0000", 0), ("2026-05-20T20:49:32.000+0000", 1_779_310_172_000),
            ("2026-05-20T20:49:32Z", 1_779_310_172_000), ("2026-05-20T20:49:32.5+00:00", 1_779_310_172_500),
            ("2026-05-20T22:49:32.000+0200", 1_779_310_172_000), ("2026-05-20T15:19:32.000-05:30", 1_779_310_172_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2000-02-29T00:00:00.123456789Z", 951_782_400_123),
            ("1969-12-31T23:59:59.999Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ] as [(String, Int64)])
    func `every documented form is read`(text: String, milliseconds: Int64) {
        #expect(ServerDate(text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        "", "2026-05-20", "2026-05-20T20:49:32", "2026-05-20 20:49:32Z", "2026-5-20T20:49:32Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-05-20T24:00:00Z", "2026-05-20T20:60:00Z", "2026-05-20T20:49:60Z", "2026-05-20T20:49:32.Z",
        "2026-05-20T20:49:32.1234567890Z", "2026-05-20T20:49:32Zx", " 2026-05-20T20:49:32Z", "2026-05-20T20:49:32+00",
        "2026-05-20T20:49:32+2400", "-026-05-20T20:49:32Z", "２026-05-20T20:49:32Z", "2026-05-20t20:49:32z",
    ])
    func `anything else is not a date`(text: String) {
        #expect(ServerDate(text) == nil)
    }

    @Test func `a date has the server's form, and is read back`() {
        #expect(
            ServerDate(millisecondsSince1970: 1_779_310_172_000).description == "2026-05-20T20:49:32.000+0000")
        // About every 37 days for six hundred years, so that all months and leap years occur.
        for step in -3_000...3_000 as ClosedRange<Int64> {
            let date = ServerDate(millisecondsSince1970: step * 3_200_123_457)
            #expect(ServerDate(date.description) == date)
        }
    }
}
