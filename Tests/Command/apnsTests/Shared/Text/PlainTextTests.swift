import Testing

@testable import apns

struct PlainTextTests {
    @Test func `nothing from outside moves the cursor`() {
        #expect(PlainText.safe("a\u{1B}[2Jb\n\u{202E}") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}")
    }
}
