import ProviderToken
import Testing

@Test func `a key is read from the contents of its file`() throws {
    let fileContents = try SigningKey.generate().p8
    var printed = ""
    func print(_ text: String) { printed = text }

    let key = try SigningKey(p8: fileContents)
    let keyID = KeyID("ABC123DEFG")
    let teamID = TeamID("ABCDE12345")
    print(key.publicKey.pem)  // what a gateway needs to check tokens of this key

    #expect(keyID != nil && teamID != nil && printed.contains("PUBLIC KEY"))
}
