import APNSModel
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

    static func verdict(
        _ text: String, _ key: VerifyingKey, keyID: String? = nil, teamID: String? = nil, isStrict: Bool = false
    ) -> TokenVerdict {
        TokenVerdict(
            text, signer: TokenVerdict.Signer(key: key, keyID: keyID, teamID: teamID), isStrict: isStrict, now: now)
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
        let verdict = Self.verdict(text, key.publicKey, isStrict: isStrict)
        #expect(verdict.problems.isEmpty == iat.isGood, "\(verdict.problems)")
    }

    @Test(arguments: [
        (Int64(0), true), (3600, true), (3601, false), (-3600, true), (-3601, false), (.max, false), (.min, false),
    ])
    func `a provider token is valid for an hour before and after its time`(age: Int64, isGood: Bool) throws {
        let issuedAt = age == .min ? Int64.max : age == .max ? Int64.min : TokenVerdictTests.now - age
        let (text, key) = try TokenVerdictTests.token(issuedAt: issuedAt)
        let verdict = Self.verdict(text, key.publicKey, isStrict: true)
        #expect(verdict.problems.isEmpty == isGood)
    }

    @Test(arguments: [
        ("1800000000000", "milliseconds"), ("1800000000000000", "microseconds"), ("1800000000000000000", "nanoseconds"),
    ])
    func `an iat in another unit than seconds has a hint`(iat: String, unit: String) throws {
        let (text, key) = try TokenVerdictTests.token(iat: iat)
        let verdict = Self.verdict(text, key.publicKey)
        #expect(
            verdict.problems == ["iat is \(iat), which looks like \(unit); it must be in seconds, as 1800000000"])
        #expect(try TokenParts(text).text(at: TokenVerdictTests.now).contains("looks like \(unit)"))
    }

    @Test func `every problem has a sentence`() throws {
        let (text, _) = try TokenVerdictTests.token(issuedAt: TokenVerdictTests.now - 3660)
        let other = try SigningKey.generate().publicKey
        let verdict = Self.verdict(text, other)
        try #require(verdict.problems.count == 2)
        #expect(verdict.problems[0].contains("61 minutes ago: expired, APNs accepts 60 minutes"))
        #expect(verdict.problems[1].contains("signature"))
    }

    @Test func `padding is a problem only in the strict form`() throws {
        let (text, key) = try TokenVerdictTests.token()
        let padded = text + "=="
        #expect(Self.verdict(padded, key.publicKey).problems.isEmpty)
        #expect(!Self.verdict(padded, key.publicKey, isStrict: true).problems.isEmpty)
    }

    @Test func `the ids of another key are problems where the ids of the key are known`() throws {
        let (text, key) = try TokenVerdictTests.token()
        #expect(Self.verdict(text, key.publicKey, keyID: "ABC123DEFG", teamID: "DEF123GHIJ").problems.isEmpty)
        #expect(
            Self.verdict(text, key.publicKey, keyID: "AAAAAAAAAA", teamID: "BBBBBBBBBB").problems == [
                "kid is ABC123DEFG, and the id of the key is AAAAAAAAAA",
                "iss is DEF123GHIJ, and the team of the key is BBBBBBBBBB",
            ])
    }

    @Test func `a signature that was cut off is not taken for that of another key`() throws {
        let (text, key) = try TokenVerdictTests.token()
        for count in [4, 40] {
            let problems = Self.verdict(String(text.dropLast(count)), key.publicKey).problems
            #expect(problems.count == 1 && problems[0].contains("bytes instead of 64"), "\(problems)")
        }
    }
}
