import GatewayConfiguration
import Testing

struct ControlTokenFileTests {
    @Test(
        arguments: [
            "0123456789abcdef", "0123456789abcdef\n", "  0123456789abcdef \r\nnotes\n", "\u{FEFF}0123456789abcdef\r\n",
        ])
    func `the token is the first line without white space around it`(text: String) throws {
        #expect(try ControlTokenFile.token(in: Array(text.utf8)) == "0123456789abcdef")
    }

    @Test(arguments: ["", "\n0123456789abcdef", "hunter2", "hunter2                 "])
    func `a short token is refused and not shown`(text: String) {
        let failure = #expect(throws: ControlTokenFile.Failure.self) {
            try ControlTokenFile.token(in: Array(text.utf8))
        }
        #expect(failure?.description.contains("shorter than 16") == true)
        #expect(failure?.description.contains("hunter2") == false)
    }

    @Test(arguments: ["correct horse battery", "0123456789abcd\u{e9}f", "0123456789\u{7f}abcdef"])
    func `a token that not every client can send is refused`(text: String) {
        let failure = #expect(throws: ControlTokenFile.Failure.self) {
            try ControlTokenFile.token(in: Array(text.utf8))
        }
        #expect(failure?.description.contains("not visible ASCII") == true)
        #expect(failure?.description.contains(text) == false)
    }

    @Test func `bytes that are no text are refused`() {
        #expect(throws: ControlTokenFile.Failure.self) {
            try ControlTokenFile.token(in: Array(repeating: 0xff, count: 20))
        }
    }
}
