import Testing

@testable import apns

struct TokenArgumentTests {
    @Test func `the word bearer and white space around a token do not count`() {
        #expect(TokenArgument.plain(" Bearer  a.b.c\n") == "a.b.c")
        #expect(TokenArgument.plain("a.b.c") == "a.b.c")
        #expect(TokenArgument.plain("") == "")
    }
}
