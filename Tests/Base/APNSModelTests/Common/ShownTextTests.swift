import APNSModel
import Testing

struct ShownTextTests {
    @Test func `a text up to the limit is whole`() {
        #expect(ShownText.cut("éé", to: 2) == "éé")
        #expect(ShownText.cut("", to: 0) == "")
    }

    @Test func `a longer text is cut, with a mark and its length`() {
        #expect(ShownText.cut("éabc", to: 2) == "éa… (4 characters)")
    }

    @Test func `a quoted text has nothing that moves the cursor or changes the reading direction`() {
        #expect(ShownText.quoted("a b") == "\"a b\"")
        #expect(ShownText.quoted("a\u{1B}[31m\n\u{202E}b") == "\"a\u{FFFD}[31m\u{FFFD}\u{FFFD}b\"")
        #expect(ShownText.quoted("abcd", to: 2) == "\"ab… (4 characters)\"")
    }
}
