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
}
