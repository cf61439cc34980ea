import APNSModel
import APNSProvider
import Testing

@testable import apns

struct CredentialChoiceTests {
    private typealias Given = CredentialChoice.Given

    private static let local = LocalCredentials(
        caPath: "/x/certs/dev/ca.pem", keyPath: "/x/certs/dev/AuthKey_LOCAL00000.p8", keyID: "LOCAL00000",
        teamID: "LOCALTEAM0", topic: "com.example.local")

    private static func choose(_ options: Given, _ variables: Given = Given()) throws -> CredentialChoice {
        try CredentialChoice(options: options, variables: variables) { () throws(CommandError) in local }
    }

    @Test func `an option wins over the development credentials, and those win over variables`() throws {
        let variables = Given(
            gateway: "https://elsewhere:1", key: "v.p8", keyID: "VARIABLE00", teamID: "VARTEAM000", ca: "v.pem",
            topic: "com.example.variable")
        let choice = try CredentialChoiceTests.choose(
            Given(gateway: "local", teamID: "OPTIONTEAM", ca: "o.pem"), variables)
        #expect(choice.gateway == APNSGateway(host: "127.0.0.1", port: 8443))
        #expect(
            choice.identity
                == .token(
                    keyPath: "/x/certs/dev/AuthKey_LOCAL00000.p8", keyID: "LOCAL00000", teamID: "OPTIONTEAM"))
        #expect(choice.caPath == "o.pem")
        #expect(choice.topic == "com.example.local")
        let plain = try CredentialChoiceTests.choose(Given(), variables)
        #expect(plain.gateway == APNSGateway(host: "elsewhere", port: 1))
        #expect(plain.identity == .token(keyPath: "v.p8", keyID: "VARIABLE00", teamID: "VARTEAM000"))
    }

    @Test func `the key id comes from the name of the key that was given`() throws {
        let choice = try CredentialChoiceTests.choose(
            Given(key: "keys/AuthKey_ABC123DEFG.p8"), Given(keyID: "VARIABLE00"))
        #expect(choice.identity == .token(keyPath: "keys/AuthKey_ABC123DEFG.p8", keyID: "ABC123DEFG", teamID: nil))
        #expect(CredentialChoice.keyID(inNameOf: "AuthKey_ABC.p8") == nil)
        #expect(CredentialChoice.keyID(inNameOf: "ABC123DEFG.p8") == nil)
    }

    @Test func `an environment on the command line wins over a gateway of the variables`() throws {
        let choice = try CredentialChoiceTests.choose(
            Given(environment: "production", key: "k"), Given(gateway: "local"))
        #expect(choice.gateway == APNSGateway(.production))
        #expect(try CredentialChoiceTests.choose(Given(key: "k")).gateway == APNSGateway(.sandbox))
    }

    @Test func `two identities in the variables are no choice`() throws {
        #expect(throws: CommandError.self) {
            try CredentialChoiceTests.choose(Given(), Given(key: "k", certificate: "c"))
        }
        let choice = try CredentialChoiceTests.choose(Given(certificate: "o"), Given(key: "k", certificate: "c"))
        #expect(choice.identity == .certificate(path: "o", keyPath: nil))
    }

    @Test func `the description of development credentials names files beside it`() {
        let text = #"{"key":"certs/dev/AuthKey_A.p8","key-id":"A","team-id":"T","topic":"t"}"#
        let credentials = LocalCredentials(folder: "/y/", description: Array(text.utf8))
        #expect(credentials?.keyPath == "/y/AuthKey_A.p8")
        #expect(credentials?.caPath == "/y/ca.pem")
        #expect(LocalCredentials(folder: "/y/", description: Array("[]".utf8)) == nil)
        #expect(LocalCredentials(folder: "/y/", description: Array("{".utf8)) == nil)
    }
}
