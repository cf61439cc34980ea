import Testing

@testable import apns

struct TokenPartsTests {
    @Test func `a token shows what is in it, but not its signature`() throws {
        let (text, _) = try TokenVerdictTests.token()
        let parts = try TokenParts(text)
        let shown = parts.text(at: TokenVerdictTests.now + 600)
        #expect(shown.contains(#"{"alg":"ES256","kid":"ABC123DEFG"}"#))
        #expect(shown.contains("10 minutes ago, valid for 50 minutes more"))
        let signature = try #require(text.split(separator: ".").last)
        #expect(!shown.contains(signature))
        #expect(parts.json(at: TokenVerdictTests.now + 1).contains(#""age-seconds":1,"signature-bytes":64"#))
    }

    @Test func `an iat with a fraction is shown as written, and as a time`() throws {
        let parts = try TokenParts(TokenVerdictTests.token(iat: "1799999400.31").text)
        let shown = parts.text(at: TokenVerdictTests.now)
        #expect(shown.contains(#""iat":1799999400.31}"#))
        #expect(shown.contains("10 minutes ago, valid for 50 minutes more"))
        #expect(parts.json(at: TokenVerdictTests.now).contains(#""issued-at":1799999400,"age-seconds":600"#))
    }

    @Test func `an iat that is not a number is no time`() throws {
        let parts = try TokenParts(TokenVerdictTests.token(iat: "[1]").text)
        #expect(parts.issuedAt == nil)
        #expect(parts.text(at: TokenVerdictTests.now).contains("absent, or not a number"))
    }

    @Test(arguments: ["", "a.b", "a.b.c.d", "!.e30.", "e30.!.", "e30.W10.", "e30.e30.a", "e3.e30."])
    func `a text that is not a provider token is refused`(text: String) {
        #expect(throws: TokenParts.Fault.self) { try TokenParts(text) }
    }

    @Test func `the part that is wrong is named in grammatical English`() {
        #expect(TokenParts.Fault.notObject("header").description == "its header is not a JSON object")
        #expect(TokenParts.Fault.notObject("claims").description == "its claims are not a JSON object")
        #expect(TokenParts.Fault.notBase64("claims").description == "its claims are not base64url")
    }
}
