import Testing

@testable import apns

struct RulesPageFileTests {
    @Test func `the page is below the same prefix, or in the repository of the build`() {
        #expect(
            RulesPageFile.candidates(beside: "/usr/local/bin/apns") == [
                "/usr/local/share/doc/apns-toolkit/rules.html"
            ])
        #expect(
            RulesPageFile.candidates(beside: "/home/me/toolkit/.build/x86_64/debug/apns").last
                == "/home/me/toolkit/docs/rules.html")
    }
}
