import Foundation
import ProviderToken
import Testing

struct TokenCommandTests {
    @Test func `a provider token is shown, and is valid with either half of its key`() async throws {
        try await withCommand { command in
            let key = try SigningKey.generate()
            try command.write(Data(key.p8), to: "AuthKey_ABC123DEFG.p8")
            try command.write(key.publicKey.pem, to: "public.pem")
            let made = try await command.run(
                ["token", "make", "--key", "AuthKey_ABC123DEFG.p8"], environment: ["APNS_TEAM_ID": "DEF123GHIJ"])
            #expect(made.status == 0)
            let token = try #require(made.lines.first.map(String.init))
            let shown = try await command.run(["token", "show", "-", "--json"], input: "bearer \(token)\n")
            #expect(shown.output.contains(#""key-id":"ABC123DEFG","team-id":"DEF123GHIJ""#), "\(shown.text)")
            for option in [["--key", "AuthKey_ABC123DEFG.p8"], ["--public-key", "public.pem", "--gateway-strict"]] {
                let checked = try await command.run(["token", "check", token] + option)
                #expect(checked.status == 0)
                #expect(checked.output.hasPrefix("valid: key ABC123DEFG, team DEF123GHIJ"), "\(checked.text)")
            }
        }
    }

    @Test func `a provider token of another key, and a text that is not one, are refused with status 1`() async throws {
        try await withCommand { command in
            try command.write(Data(SigningKey.generate().p8), to: "AuthKey_ABC123DEFG.p8")
            try command.write(try SigningKey.generate().publicKey.pem, to: "other.pem")
            let made = try await command.run(
                ["token", "make", "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ"])
            let other = try await command.run(["token", "check", "-", "--public-key", "other.pem"], input: made.output)
            #expect(other.status == 1)
            #expect(other.output.contains("the signature was not made by this key"), "\(other.text)")
            let nonsense = try await command.run(["token", "check", "a.b", "--public-key", "other.pem"])
            #expect(nonsense.status == 1)
            #expect(nonsense.output.contains("2 parts"))
            #expect(
                try await command.run(["token", "check", "a", "--public-key", "other.pem"]).output.contains("1 part;"))
            #expect(try await command.run(["token", "show", "a.b"]).status == 2)
            let keyless = try await command.run(["token", "check", "nonsense"])
            #expect(keyless.status == 1)
            #expect(keyless.output.contains("this is not a provider token: it has 1 part"), "\(keyless.text)")
        }
    }

    @Test func `--profile names the key to check with, and a key that is given needs no gateway`() async throws {
        try await withCommand { command in
            for name in ["AuthKey_ABC123DEFG.p8", "AuthKey_OTHER00000.p8"] {
                try command.write(Data(SigningKey.generate().p8), to: name)
            }
            try command.write(
                "profiles:\n  one: {key: AuthKey_ABC123DEFG.p8}\n  here: {gateway: local}\n", to: "p.yaml")
            let file = ["APNS_PROFILES": "p.yaml"]
            let made = try await command.run(
                ["token", "make", "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ"],
                environment: file.merging(["APNS_PROFILE": "here"]) { $1 })
            #expect(made.status == 0, "\(made.text)")
            let other = file.merging(["APNS_KEY": "AuthKey_OTHER00000.p8"]) { $1 }
            let checked = try await command.run(
                ["token", "check", "-", "--profile", "one"], input: made.output, environment: other)
            #expect(checked.status == 0, "\(checked.text)")
            let variable = try await command.run(
                ["token", "check", "-"], input: made.output, environment: other.merging(["APNS_PROFILE": "one"]) { $1 })
            #expect(variable.status == 1, "\(variable.text)")
        }
    }

    @Test func `a pasted device token is printed in hexadecimal digits, and anything else is status 1`() async throws {
        try await withCommand { command in
            let hex = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad"
            let words = [
                "<740f4707", "bebcf74f", "9b7c25d4", "8e335894", "5f6aa01d", "a5ddb387", "462c7eaf", "61bb78ad>",
            ]
            for (arguments, input) in [(words, nil), ([words.joined(separator: " ")], nil), (["-"], "0x\(hex)\n")] {
                let result = try await command.run(["token", "device"] + arguments, input: input)
                #expect(result.status == 0 && result.output == hex + "\n", "\(result.text)")
                #expect(result.errors.hasPrefix("This ") && !result.errors.contains(hex), "\(result.errors)")
            }
            let other = try await command.run(["token", "device", "ExponentPushToken[abc]", "--json"])
            #expect(
                other.status == 1 && other.output.hasPrefix(#"{"kind":"expo","device-token":null"#), "\(other.text)")
        }
    }

    @Test func `without a key nothing is signed, and only options that are there are named`() async throws {
        try await withCommand { command in
            let result = try await command.run(["token", "make", "--team-id", "DEF123GHIJ"])
            #expect(result.status == 2)
            #expect(result.errors.contains("there is no key: give --key"), "\(result.errors)")
            #expect(!result.errors.contains("--certificate"), "\(result.errors)")
        }
    }
}
