import Testing

@testable import GatewayCore

struct PeerTextTests {
    @Test func `a peer's words cannot break a line or fill it`() {
        #expect(PeerText.quoted("a\n\u{1b}[31m\u{202e}b") == #""a??[31m?b""#)
        #expect(PeerText.quoted(String(repeating: "x", count: 9000)).count == 67)
    }
}
