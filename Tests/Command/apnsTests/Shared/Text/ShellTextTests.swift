import Testing

@testable import apns

struct ShellTextTests {
    @Test(arguments: [
        ("certs/dev/ca.pem", "certs/dev/ca.pem"), ("my certs/ca.pem", "'my certs/ca.pem'"), ("", "''"),
        ("it's", #"'it'\''s'"#), ("$(x)", "'$(x)'"), ("é", "'é'"), ("https://[::1]:8443", "'https://[::1]:8443'"),
    ])
    func `a word is quoted where a shell would interpret it`(text: String, word: String) {
        #expect(ShellText.word(text) == word)
    }

    @Test func `a command to paste is called as the user called it`() {
        let message = "there are none; make them with: apns credentials --force"
        #expect(ShellText.pasteable(message, command: "apns") == message)
        #expect(
            ShellText.pasteable(message, command: "tools/apns")
                == "there are none; make them with: tools/apns credentials --force")
        #expect(ShellText.pasteable("apns is a command", command: "x") == "apns is a command")
    }
}
