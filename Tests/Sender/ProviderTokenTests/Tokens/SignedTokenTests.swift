import APNSModel
import Testing

@testable import ProviderToken

@Suite struct SignedTokenTests {
    private let key: SigningKey
    private let keyID = KeyID("ABC123DEFG")!
    private let teamID = TeamID("TEAM123456")!

    init() throws { key = try SigningKey(p8: Array(Fixtures.p256.utf8)) }

    @Test func `a signed token has exactly the strict form`() throws {
        let text = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: 1_700_000_000, key: key).text
        let parts = text.split(separator: ".").map { String($0) }
        try #require(parts.count == 3)
        let plain = try parts.map { try Base64.decode($0.utf8, as: .strictURL) }
        #expect(String(decoding: plain[0], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(String(decoding: plain[1], as: UTF8.self) == #"{"iss":"TEAM123456","iat":1700000000}"#)
        #expect(plain[2].count == 64)

        let read = try ParsedToken(authorization: "bearer \(text)", strictness: .strict)
        #expect(read.keyID == "ABC123DEFG" && read.teamID == "TEAM123456" && read.issuedAt == 1_700_000_000)
        #expect(read.isSigned(by: key.publicKey))
        #expect(!read.isSigned(by: try SigningKey.generate().publicKey))
    }

    @Test func `no description of a token shows its signature`() throws {
        let text = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: 1_700_000_000, key: key).text
        let read = try ParsedToken(authorization: "bearer \(text)")
        let signed = SignedToken(text)
        var dumped = ""
        dump(signed, to: &dumped)
        for shown in ["\(read)", String(reflecting: read), "\(signed)", String(reflecting: signed), dumped] {
            #expect(!shown.contains(text.suffix(40)) && !shown.contains("eyJ"))
        }
        #expect("\(ProviderTokenRenewal.Action.use(signed))".contains("signed provider token"))
    }
}
