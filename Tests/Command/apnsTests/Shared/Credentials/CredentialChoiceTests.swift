import APNSModel
import APNSProvider
import Foundation
import ProviderToken
import Testing

@testable import apns

struct CredentialChoiceTests {
    private typealias Given = CredentialChoice.Given

    private static let local = LocalCredentials(
        caPath: "/x/certs/dev/ca.pem", keyPath: "/x/certs/dev/AuthKey_LOCAL00000.p8", keyID: "LOCAL00000",
        teamID: "LOCALTEAM0", topic: "com.example.local")

    private static func choose(
        _ options: Given, _ variables: Given = Given(), profile: Given? = nil
    ) throws -> CredentialChoice {
        var chosen = try profile.map { _ in
            try ChosenProfile(
                "staging", in: ProfileFile(Array("profiles: {staging: {}}".utf8), name: "p", folder: "", home: nil))
        }
        if let profile { chosen?.given = profile }
        return try CredentialChoice(options: options, variables: variables, profile: chosen) {
            name throws(CommandError) in
            let port = if case .port(let port) = name { port } else { 8443 }
            return LocalGateway(gateway: APNSGateway(host: "127.0.0.1", port: port), credentials: local)
        }
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

    @Test func `the proxy is that of the environment, of the option, or none`() throws {
        #expect(try CredentialChoiceTests.choose(Given(key: "k")).proxy == .environment)
        #expect(try CredentialChoiceTests.choose(Given(key: "k", proxy: "none")).proxy == .none)
        #expect(
            try CredentialChoiceTests.choose(Given(key: "k", proxy: "http://proxy:3128")).proxy
                == .http(host: "proxy", port: 3128))
        let error = #expect(throws: CommandError.self) {
            try CredentialChoiceTests.choose(Given(key: "k", proxy: "socks5://u:secret@proxy"))
        }
        #expect(error?.status == .badArguments && error?.message.contains("secret") == false)
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

    @Test(arguments: [
        "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n",
        "MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQgSECRETSECRETSECRETSECRETSECRET",
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JR1RBZ0VBTUJNR0J5cUdTTTQ5QWdFR0NDcUdTECRET",
    ])
    func `a key in place of its path is refused, and not shown`(key: String) {
        let cases: [(Given, Given, String)] = [
            (Given(key: key), Given(), "--key (or APNS_KEY)"), (Given(), Given(key: key), "--key (or APNS_KEY)"),
            (Given(certificate: key), Given(), "--certificate (or APNS_CERTIFICATE)"),
            (Given(certificate: "c.pem", certificateKey: key), Given(), "--certificate-key"),
            (Given(key: "k.p8", ca: key), Given(), "--ca (or APNS_CA)"),
            (Given(gateway: "local"), Given(key: key), "--key (or APNS_KEY)"),
        ]
        for (options, variables, name) in cases {
            let error = #expect(throws: CommandError.self) { try CredentialChoiceTests.choose(options, variables) }
            let message = error?.message ?? ""
            #expect(
                error?.status == .badArguments && message.hasPrefix("\(name) takes the path of a file"), "\(message)")
            #expect(!message.contains(key.prefix(12)) && !message.contains("ECRET"))
        }
        #expect(throws: CommandError.self) { try CredentialChoice.signingKey(path: key) }
    }

    @Test func `a key file is read as deployments hand it on`() throws {
        let key = try SigningKey.generate()
        let file = String(decoding: try key.p8, as: UTF8.self)
        let forms = [
            file, file.replacingOccurrences(of: "\n", with: "\\n"), "\"\(file)\"",
            Data(file.utf8).base64EncodedString(),
        ]
        for form in forms {
            let read = try withTemporaryFile(form) { path in try CredentialChoice.signingKey(path: path) }
            #expect(read.publicKey == key.publicKey)
        }
    }

    @Test func `a path that is long, or begins like a key, is a path`() throws {
        for path in ["MIGT", "MIGT/" + String(repeating: "x", count: 90) + ".p8", "keys/AuthKey_ABC123DEFG.p8"] {
            #expect(throws: Never.self) { try CredentialChoiceTests.choose(Given(key: path)) }
        }
    }

    @Test func `a port chooses one of the gateways on this machine`() throws {
        #expect(try CredentialChoiceTests.choose(Given(gateway: "local:9000")).gateway.port == 9000)
        #expect(throws: CommandError.self) { try CredentialChoiceTests.choose(Given(gateway: "local:x")) }
    }

    private static let staging = Given(
        environment: "production", key: "p.p8", keyID: "PROFILE000", teamID: "PROFTEAM00", ca: "p.pem",
        topic: "com.example.profile")

    @Test func `a profile gives what no option and no variable gives`() throws {
        let choice = try CredentialChoiceTests.choose(Given(), profile: CredentialChoiceTests.staging)
        #expect(choice.gateway == APNSGateway(.production))
        #expect(choice.identity == .token(keyPath: "p.p8", keyID: "PROFILE000", teamID: "PROFTEAM00"))
        #expect(choice.caPath == "p.pem" && choice.topic == "com.example.profile" && choice.notes.isEmpty)
    }

    @Test func `an option wins over a variable, and that over a profile, with a note`() throws {
        let choice = try CredentialChoiceTests.choose(
            Given(topic: "com.example.option"), Given(key: "v.p8", keyID: "VARIABLE00", teamID: "VARTEAM000"),
            profile: CredentialChoiceTests.staging)
        #expect(choice.identity == .token(keyPath: "v.p8", keyID: "VARIABLE00", teamID: "VARTEAM000"))
        #expect(choice.gateway == APNSGateway(.production) && choice.topic == "com.example.option")
        #expect(
            choice.notes.count == 1 && choice.notes[0].hasPrefix("APNS_KEY is set and wins over the profile staging"))
    }

    @Test func `key id and team go with their key`() throws {
        let other = try CredentialChoiceTests.choose(
            Given(key: "AuthKey_OPTION0000.p8"), Given(keyID: "VARIABLE00"), profile: CredentialChoiceTests.staging)
        #expect(
            other.identity == .token(keyPath: "AuthKey_OPTION0000.p8", keyID: "OPTION0000", teamID: "PROFTEAM00"))
        let own = try CredentialChoiceTests.choose(
            Given(), Given(keyID: "VARIABLE00", teamID: "VARTEAM000"), profile: CredentialChoiceTests.staging)
        #expect(own.identity == .token(keyPath: "p.p8", keyID: "PROFILE000", teamID: "PROFTEAM00"))
        let foreign = try CredentialChoiceTests.choose(Given(gateway: "local", key: "AuthKey_OPTION0000.p8"))
        #expect(foreign.identity == .token(keyPath: "AuthKey_OPTION0000.p8", keyID: "OPTION0000", teamID: nil))
    }

    @Test func `the authorities of a profile count for its own gateway only`() throws {
        for options in [Given(environment: "sandbox"), Given(gateway: "https://elsewhere:1")] {
            #expect(try CredentialChoiceTests.choose(options, profile: CredentialChoiceTests.staging).caPath == nil)
        }
        let choice = try CredentialChoiceTests.choose(
            Given(environment: "sandbox"), profile: Given(key: "p.p8", ca: "p.pem"))
        #expect(choice.caPath == "p.pem")
    }

    @Test func `the gateway on this machine has its own credentials, unless the profile is for it`() throws {
        let choice = try CredentialChoiceTests.choose(Given(gateway: "local"), profile: CredentialChoiceTests.staging)
        #expect(choice.topic == "com.example.local" && choice.caPath == "/x/certs/dev/ca.pem")
        #expect(choice.notes.isEmpty)
        let own = try CredentialChoiceTests.choose(
            Given(), Given(topic: "com.example.variable"),
            profile: Given(gateway: "local:9000", topic: "com.example.profile"))
        #expect(own.gateway.port == 9000 && own.topic == "com.example.profile")
        #expect(
            own.identity
                == .token(
                    keyPath: "/x/certs/dev/AuthKey_LOCAL00000.p8", keyID: "LOCAL00000", teamID: "LOCALTEAM0"))
    }

    @Test func `a message can name where the topic comes from`() throws {
        func origin(_ options: Given, _ variables: Given = Given(), profile: Given? = nil) throws -> String {
            try CredentialChoiceTests.choose(options, variables, profile: profile).topicOption
        }
        let variable = Given(topic: "com.example.variable")
        let profile = Given(key: "k", topic: "com.example.profile")
        #expect(try origin(Given(key: "k", topic: "com.example.option"), variable) == "--topic")
        #expect(try origin(Given(key: "k"), variable, profile: profile) == "APNS_TOPIC")
        #expect(try origin(Given(key: "k"), profile: profile) == "topic of the profile staging")
        #expect(try origin(Given(gateway: "local"), variable) == "topic of the gateway's credentials")
        #expect(try origin(Given(key: "k")) == "--topic")
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
