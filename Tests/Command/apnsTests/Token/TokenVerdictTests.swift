import Testing

@testable import ProviderToken
@testable import apns

struct TokenVerdictTests {
    static let now: Int64 = 1_800_000_000

    static func token(issuedAt: Int64 = now) throws -> (text: String, key: SigningKey) {
        let key = try SigningKey.generate()
        let (keyID, teamID) = (try #require(KeyID("ABC123DEFG")), try #require(TeamID("DEF123GHIJ")))
        return (try SignedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, key: key).text, key)
    }

    /// A provider token whose `iat` is this JSON text.
    static func token(iat: String) throws -> (text: String, key: SigningKey) {
        let key = try SigningKey.generate()
        let parts = [#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":\#(iat)}"#]
        let signed = Array(parts.map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: [UInt8(ascii: ".")]))
        let signature = Base64.encodeURL(try key.signature(for: signed))
        return (String(decoding: signed + [UInt8(ascii: ".")] + signature, as: UTF8.self), key)
    }

    @Test(
        arguments: [
            ("1799999999.31", true), ("1.8e9", true), ("1799996400.0", true), ("1799996399.99", false),
        ] as [(String, Bool)], [false, true])
    func `an iat with a fraction or an exponent is judged by its whole seconds`(
        iat: (text: String, isGood: Bool), isStrict: Bool
    ) throws {
        let (text, key) = try TokenVerdictTests.token(iat: iat.text)
        let verdict = TokenVerdict(text, key: key.publicKey, isStrict: isStrict, now: TokenVerdictTests.now)
        #expect(verdict.problems.isEmpty == iat.isGood, "\(verdict.problems)")
    }

    @Test(arguments: [
        (Int64(0), true), (3600, true), (3601, false), (-3600, true), (-3601, false), (.max, false), (.min, false),
    ])
    func `a provider token is valid for an hour before and after its time`(age: Int64, isGood: Bool) throws {
        let issuedAt = age == .min ? Int64.max : age == .max ? Int64.min : TokenVerdictTests.now - age
        let (text, key) = try TokenVerdictTests.token(issuedAt: issuedAt)
        let verdict = TokenVerdict(text, key: key.publicKey, isStrict: true, now: TokenVerdictTests.now)
        #expect(verdict.problems.isEmpty == isGood)
    }

    @Test func `every problem has a sentence`() throws {
        let (text, _) = try TokenVerdictTests.token(issuedAt: TokenVerdictTests.now - 3660)
        let other = try SigningKey.generate().publicKey
        let verdict = TokenVerdict(text, key: other, isStrict: false, now: TokenVerdictTests.now)
        try #require(verdict.problems.count == 2)
        #expect(verdict.problems[0].contains("61 minutes ago: expired, APNs accepts 60 minutes"))
        #expect(verdict.problems[1].contains("signature"))
    }

    @Test func `padding is a problem only in the strict form`() throws {
        let (text, key) = try TokenVerdictTests.token()
        let padded = text + "=="
        #expect(TokenVerdict(padded, key: key.publicKey, isStrict: false, now: TokenVerdictTests.now).problems.isEmpty)
        #expect(!TokenVerdict(padded, key: key.publicKey, isStrict: true, now: TokenVerdictTests.now).problems.isEmpty)
    }
}
