import APNSModel
import Testing

@testable import ProviderToken

@Suite struct KeyIDTests {
    @Test(arguments: ["ABC123DEF", "ABC123DEFGH", "abc123defg", "ABC123DEF\"", "ABC123DEÉ", ""])
    func `an id that is not 10 digits and capital letters is refused`(text: String) {
        #expect(KeyID(text) == nil)
        #expect(TeamID(text) == nil)
    }

    @Test func `an id of 10 digits and capital letters is kept as it is`() throws {
        #expect(KeyID("ABC123DEFG")?.value == "ABC123DEFG")
        #expect(TeamID("0000000000")?.description == "0000000000")
        #expect(["ABC123DEFG"].compactMap(KeyID.init).count == 1)
        #expect(try KeyID(parsing: "ABC123DEFG").value == "ABC123DEFG")
        #expect(try TeamID(parsing: "ABC123DEFG").value == "ABC123DEFG")
    }

    @Test(arguments: [
        ("", "is empty"), ("ABC123DEF", "has 9 characters"), ("abc123defg", "has \"a\" at character 1"),
        ("ABC 123DEF", "has a space at character 4"), ("ABC123DEFGH", "has 11 characters"),
    ])
    func `an error says what is wrong with an id and where the right one is`(text: String, problem: String) {
        let key = #expect(throws: APNSValueError.self) { try KeyID(parsing: text) }
        #expect(key?.code == .keyID && key?.detail.contains(problem) == true, "\(String(describing: key))")
        #expect(key?.detail.contains("AuthKey_KEYID.p8") == true && key?.detail.contains("10 characters") == true)
        let team = #expect(throws: APNSValueError.self) { try TeamID(parsing: text) }
        #expect(team?.code == .teamID && team?.detail.contains(problem) == true, "\(String(describing: team))")
        #expect(team?.detail.contains("membership") == true)
    }

    @Test func `the name of a key's file has the key id`() {
        #expect(KeyID.inName(of: "AuthKey_ABC123DEFG.p8")?.value == "ABC123DEFG")
        #expect(KeyID.inName(of: "/run/secrets/AuthKey_ABC123DEFG.p8")?.value == "ABC123DEFG")
        for name in ["", "/", "key.p8", "AuthKey_ABC.p8", "AuthKey_ABC123DEFG.pem", "AuthKey_ABC123DEFG.p8/x"] {
            #expect(KeyID.inName(of: name) == nil, "\(name)")
        }
        let error = #expect(throws: APNSValueError.self) { try KeyID(parsing: "AuthKey_ABC123DEFG.p8") }
        #expect(error?.detail.hasSuffix("the key id in it is ABC123DEFG") == true)
    }
}
