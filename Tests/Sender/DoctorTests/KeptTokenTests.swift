import ProviderToken
import Testing

@testable import Doctor

struct KeptTokenTests {
    private let key: SigningKey
    private let keyID: KeyID
    private let teamID: TeamID
    private let now: Int64 = 1_795_773_600

    init() throws {
        key = try SigningKey.generate()
        keyID = try KeyID(parsing: "ABC123DEFG")
        teamID = try TeamID(parsing: "DEF123GHIJ")
    }

    private func token(age: Int64, key: SigningKey? = nil, keyID: KeyID? = nil, teamID: TeamID? = nil) throws -> [UInt8]
    {
        Array(
            try SignedToken(
                keyID: keyID ?? self.keyID, teamID: teamID ?? self.teamID, issuedAt: now - age, key: key ?? self.key
            ).text.utf8)
    }

    private func age(_ text: [UInt8]) -> Int64? {
        KeptToken.age(text, keyID: keyID, teamID: teamID, key: key.publicKey, now: now)
    }

    @Test func `a token is used again until it is 20 minutes old`() throws {
        #expect(age(try token(age: 0)) == 0)
        #expect(age(try token(age: 1199)) == 1199)
        #expect(age(try token(age: 1200)) == nil)
    }

    @Test func `a token of the future, as after a clock was set back, is not used`() throws {
        #expect(age(try token(age: -1)) == nil)
    }

    @Test func `a token of another key, id or team is not used, and neither is what is no token`() throws {
        #expect(age(try token(age: 1, key: .generate())) == nil)
        #expect(age(try token(age: 1, keyID: KeyID(parsing: "XYZ123DEFG"))) == nil)
        #expect(age(try token(age: 1, teamID: TeamID(parsing: "XYZ123DEFG"))) == nil)
        #expect(age(Array("x.y.z".utf8)) == nil)
        #expect(age([]) == nil)
    }
}
