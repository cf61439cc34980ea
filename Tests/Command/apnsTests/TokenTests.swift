import ProviderToken
import Testing

@testable import apns

struct TokenTests {
    private static let now: Int64 = 1_800_000_000

    private static func token(issuedAt: Int64 = now) throws -> (text: String, key: SigningKey) {
        let key = try SigningKey.generate()
        let (keyID, teamID) = (try #require(KeyID("ABC123DEFG")), try #require(TeamID("DEF123GHIJ")))
        return (try ProviderToken.sign(keyID: keyID, teamID: teamID, issuedAt: issuedAt, with: key), key)
    }

    @Test func `a token shows what is in it, but not its signature`() throws {
        let (text, _) = try TokenTests.token()
        let parts = try TokenParts(text)
        let shown = parts.text(at: TokenTests.now + 600)
        #expect(shown.contains(#"{"alg":"ES256","kid":"ABC123DEFG"}"#))
        #expect(shown.contains("10 minutes ago, good for 50 minutes more"))
        let signature = try #require(text.split(separator: ".").last)
        #expect(!shown.contains(signature))
        #expect(parts.json(at: TokenTests.now + 1).contains(#""age-seconds":1,"signature-bytes":64"#))
    }

    @Test(arguments: [
        (Int64(0), true), (3600, true), (3601, false), (-3600, true), (-3601, false), (.max, false), (.min, false),
    ])
    func `a token is good for an hour on both sides of its time`(age: Int64, isGood: Bool) throws {
        let issuedAt = age == .min ? Int64.max : age == .max ? Int64.min : TokenTests.now - age
        let (text, key) = try TokenTests.token(issuedAt: issuedAt)
        let judgement = TokenVerdict(text, key: key.publicKey, isStrict: true, now: TokenTests.now)
        #expect(judgement.faults.isEmpty == isGood)
    }

    @Test func `every fault has its sentence`() throws {
        let (text, _) = try TokenTests.token(issuedAt: TokenTests.now - 3660)
        let other = try SigningKey.generate().publicKey
        let judgement = TokenVerdict(text, key: other, isStrict: false, now: TokenTests.now)
        try #require(judgement.faults.count == 2)
        #expect(judgement.faults[0].contains("61 minutes ago: expired, APNs accepts 60 minutes"))
        #expect(judgement.faults[1].contains("signature"))
    }

    @Test func `padding is a fault only in the strict form`() throws {
        let (text, key) = try TokenTests.token()
        let padded = text + "=="
        #expect(TokenVerdict(padded, key: key.publicKey, isStrict: false, now: TokenTests.now).faults.isEmpty)
        #expect(!TokenVerdict(padded, key: key.publicKey, isStrict: true, now: TokenTests.now).faults.isEmpty)
    }

    @Test(arguments: ["", "a.b", "a.b.c.d", "!.e30.", "e30.!.", "e30.W10.", "e30.e30.a", "e3.e30."])
    func `a text that is no token is refused`(text: String) {
        #expect(throws: TokenParts.Fault.self) { try TokenParts(text) }
    }

    @Test func `the word bearer and white space around a token do not count`() {
        #expect(TokenArgument.plain(" Bearer  a.b.c\n") == "a.b.c")
        #expect(TokenArgument.plain("a.b.c") == "a.b.c")
        #expect(TokenArgument.plain("") == "")
    }
}
