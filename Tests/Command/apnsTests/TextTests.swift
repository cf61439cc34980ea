import APNSModel
import APNSPayload
import Testing

@testable import apns

struct TextTests {
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
    func `an age is told in its two largest units`(seconds: Int64, text: String) {
        #expect(DurationText.words(seconds: seconds) == text)
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01 00:00:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
        (951_782_400, "2000-02-29 00:00:00 UTC"), (1_795_249_154, "2026-11-21 08:19:14 UTC"),
        (253_402_300_799, "9999-12-31 23:59:59 UTC"), (.max, "9223372036854775807 s since 1970"),
    ])
    func `a moment is shown in UTC`(seconds: Int64, text: String) {
        #expect(UTCText.text(seconds) == text)
    }

    @Test func `a slip of the finger is understood and another word is not`() {
        let rules = Rule.all.map(\.id)
        #expect(Suggestion.best(for: "Background-Prority", among: rules) == "background-priority")
        #expect(Suggestion.best(for: "zebra", among: rules) == nil)
        #expect(Suggestion.best(for: "", among: []) == nil)
    }

    @Test func `nothing from outside moves the cursor`() {
        #expect(PlainText.safe("a\u{1B}[2Jb\n\u{202E}") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}")
    }

    @Test func `binary files are told from text of the wrong encoding`() {
        #expect(BinaryFile.isBinary([0x7F, 0x45, 0]))
        #expect(!BinaryFile.isBinary(Array("{}".utf8)))
        #expect(!BinaryFile.isBinary([0xFF, 0xFE, 0x7B, 0]))
        #expect(!BinaryFile.isBinary([0x7B, 0, 0x7D, 0]))
    }

    @Test func `every documented reason has its advice`() {
        for (reason, _) in Reason.deviceReasons { #expect(RefusalAdvice.table[reason] != nil, "\(reason)") }
        #expect(RefusalAdvice.line(for: Reason("Novel", 503)).contains("wait"))
        #expect(RefusalAdvice.line(for: Reason("Novel", 400)).contains("not known here"))
    }
}
