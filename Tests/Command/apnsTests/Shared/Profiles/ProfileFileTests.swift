import Testing

@testable import apns

struct ProfileFileTests {
    private static let text = """
        profiles:
          staging:
            key: keys/AuthKey_ABC123DEFG.p8
            team-id: DEF123GHIJ
            topic: com.example.app
            environment: sandbox
          live:
            certificate: ~/push.p12
            gateway: https://10.0.0.5:2197
            ca: /etc/ca.pem

        """

    private static func file(_ text: String) -> ProfileFile {
        ProfileFile(Array(text.utf8), name: "/c/profiles.yaml", folder: "/c/", home: "/home/ada")
    }

    private static func message(_ text: String, _ name: String = "staging") -> String {
        do throws(CommandError) {
            _ = try ChosenProfile(name, in: file(text))
            return ""
        } catch {
            return error.message
        }
    }

    @Test func `a profile has destination and credentials, with paths relative to the file`() throws {
        let file = ProfileFileTests.file(ProfileFileTests.text)
        #expect(file.errors.isEmpty)
        #expect(file.names == ["live", "staging"])
        #expect(
            try ChosenProfile("staging", in: file).given
                == CredentialChoice.Given(
                    environment: "sandbox", key: "/c/keys/AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ",
                    topic: "com.example.app"))
        #expect(
            try ChosenProfile("live", in: file).given
                == CredentialChoice.Given(
                    gateway: "https://10.0.0.5:2197", certificate: "/home/ada/push.p12", ca: "/etc/ca.pem"))
    }

    @Test func `a profile that does not exist is named with what was meant, or with those that exist`() {
        #expect(
            ProfileFileTests.message(ProfileFileTests.text, "stagin")
                == "/c/profiles.yaml has no profile \"stagin\"; did you mean staging?")
        #expect(ProfileFileTests.message(ProfileFileTests.text, "x").hasSuffix("it has live, staging"))
        #expect(ProfileFileTests.message("", "x").hasSuffix("it has none"))
    }

    @Test(arguments: [
        ("profiles:\n  staging:\n    tema-id: DEF123GHIJ\n", "/c/profiles.yaml:3:5: ", "did you mean team-id?"),
        ("profiles:\n  staging:\n    environment: prodution\n", ":3:18: ", "did you mean production?"),
        ("profile:\n  staging: {}\n", ":1:1: ", "did you mean profiles?"),
        ("profiles:\n  staging:\n    team-id: short\n", ":3:14: ", "10 characters"),
        ("profiles:\n  staging:\n    gateway: nowhere\n", ":3:14: ", "https://HOST"),
        ("profiles:\n  staging:\n    gateway: local:x\n", ":3:14: ", "local:PORT"),
        ("profiles:\n  staging:\n    topic: two words\n", ":3:12: ", "bundle id"),
        ("profiles:\n  staging: [1]\n", ":2:12: ", "mapping"),
        ("profiles:\n  staging:\n    key: a.p8\n    certificate: b.pem\n", ":4:18: ", "exclude each other"),
        ("profiles:\n  staging:\n    gateway: local\n    environment: sandbox\n", ":4:18: ", "exclude each other"),
        ("profiles:\n  staging:\n    certificate-key: b.pem\n", ":3:22: ", "needs certificate"),
        ("profiles:\n  \"a b\":\n    key: a.p8\n", ":3:5: ", "letters, digits"),
        ("profiles: {", "profiles.yaml:", "not YAML"),
    ])
    func `a problem is reported with file, line and what is expected`(text: String, place: String, says: String) {
        let message = ProfileFileTests.message(text)
        #expect(message.contains("/c/profiles.yaml cannot be used:\n/c/profiles.yaml"), "\(message)")
        #expect(message.contains(place), "\(message)")
        #expect(message.contains(says), "\(message)")
    }

    /// "-----BEGIN PRIVATE KEY-----", a line break, and more.
    private static let pemInBase64 = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JR1RBZ0VBTUJNR0J5cUdTTTQ5QWdFR0NDcUdTECRET"
    private static let secret = "MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQgSECRETSECRETSECRETSECRETSECRET"

    @Test(arguments: [
        ("profiles:\n  staging:\n    key: |\n      -----BEGIN PRIVATE KEY-----\n      \(secret)\n", ":4: "),
        ("profiles:\n  staging:\n    key: \"-----BEGIN PRIVATE KEY-----\\n\(secret)\"\n", ":3: "),
        ("profiles:\n  staging:\n    key: \(secret)\n", ":3:10: "),
        ("profiles:\n  staging:\n    certificate: \(pemInBase64)\n", ":3:18: "),
        ("-----BEGIN PRIVATE KEY-----\n\(secret)\n-----END PRIVATE KEY-----\n", ":1: "),
    ])
    func `the text of a key is refused, and not shown`(text: String, place: String) {
        let message = ProfileFileTests.message(text)
        #expect(message.contains(place) && message.contains("text of a key"), "\(message)")
        #expect(!message.contains("SECRET") && !message.contains("MIGT") && !message.contains("LS0t"), "\(message)")
    }

    @Test func `the file is the option's, the variable's, or that of the user's configuration`() {
        func path(_ option: String?, _ variables: [String: String]) -> String? {
            ProfileOptions.path(option) { variables[$0] }
        }
        let variables = ["APNS_PROFILES": "/p.yaml", "XDG_CONFIG_HOME": "/x", "HOME": "/h"]
        #expect(path("o.yaml", variables) == "o.yaml")
        #expect(path(nil, variables) == "/p.yaml")
        #expect(path(nil, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/apns-toolkit/profiles.yaml")
        #expect(path(nil, ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/apns-toolkit/profiles.yaml")
        #expect(path(nil, [:]) == nil)
    }
}
