import Foundation
import ProviderToken
import Testing

/// `--profile` of the commands that take credentials.
@Suite(.timeLimit(.minutes(10))) struct ProfileCommandTests {
    private static let send = ["send", "--token", "ab12", "--alert", "Hi"]

    @Test func `a profile stands for destination, credentials and topic`() async throws {
        try await withLocalGateway { gateway, command in
            let folder = command.folder.path
            let profile = """
                profiles:
                  sim:
                    gateway: \(gateway["gateway"])
                    ca: ../../\(gateway["ca"])
                    key: \(folder)/\(gateway["key"])
                    team-id: \(gateway["team-id"])
                    topic: \(gateway["topic"])
                  here: {gateway: local}

                """
            try command.write(profile, to: ".config/apns-toolkit/profiles.yaml")
            for name in ["sim", "here"] {
                let sent = try await command.run(ProfileCommandTests.send + ["--profile", name])
                #expect(sent.status == 0 && sent.errors.contains("1 accepted"), "\(sent.text)")
            }
            let variables = ["APNS_PROFILE": "sim", "APNS_PROFILES": "profiles.yaml"]
            try command.write(profile.replacing("../../", with: ""), to: "profiles.yaml")
            let bench = try await command.run(["bench", "--count", "10", "--warm-up", "1"], environment: variables)
            #expect(bench.status == 0, "\(bench.text)")
            let token = try await command.run(["token", "make"], environment: variables)
            #expect(token.status == 0, "\(token.text)")
            let checked = try await command.run(
                ["token", "check", "-"], input: token.output, environment: variables)
            #expect(checked.status == 0, "\(checked.text)")
            let org = try command.start(["org", "--profile", "sim", "--port", "0", "--json"])
            #expect(try await org.line("ready").contains(gateway["gateway"]))
            await org.stop()

            let replaced = try await command.run(
                ProfileCommandTests.send + ["--profile", "sim"], environment: ["APNS_TOPIC": "com.example.other"])
            #expect(replaced.errors.contains("APNS_TOPIC is set and wins over the profile sim"), "\(replaced.errors)")
            let option = try await command.run(
                ProfileCommandTests.send + ["--profile", "sim", "--topic", gateway["topic"]],
                environment: ["APNS_TOPIC": "com.example.other"])
            #expect(option.status == 0 && !option.errors.contains("APNS_TOPIC"), "\(option.errors)")
        }
    }

    @Test func `a key in place of its path is shown on neither stream`() async throws {
        try await withCommand { command in
            let pem = String(decoding: try SigningKey.generate().p8, as: UTF8.self)
            let der = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
            let message = ["--team-id", "DEF123GHIJ", "--topic", "com.example.app", "--token", "ab", "--alert", "Hi"]
            for key in [pem, der, Data(pem.utf8).base64EncodedString()] {
                let runs: [([String], [String: String])] = [
                    (["send", "--key=\(key)"] + message, [:]), (["send", "--key", key] + message, [:]),
                    (["send"] + message, ["APNS_KEY": key]), (["send", "--print-curl"] + message, ["APNS_KEY": key]),
                    (["token", "make", "--team-id", "DEF123GHIJ"], ["APNS_KEY": key]),
                    (["token", "check", "eyJhbGciOiJFUzI1NiJ9.e30.AA", "--key=\(key)"], [:]),
                ]
                for (arguments, variables) in runs {
                    let result = try await command.run(arguments, environment: variables)
                    #expect(result.status == 64, "\(arguments.prefix(2)) \(variables.keys)")
                    for secret in [der.prefix(40), der.suffix(40), key.prefix(40), key.suffix(40)] {
                        #expect(!result.text.contains(secret))
                    }
                }
            }
        }
    }

    @Test func `a mistake is named with file and line, and a key in the file is refused`() async throws {
        try await withCommand { command in
            let none = try await command.run(ProfileCommandTests.send + ["--profile", "sim"])
            #expect(
                none.status == 2 && none.errors.contains("apns-toolkit/profiles.yaml cannot be read"), "\(none.text)")
            try command.write("profiles:\n  sim:\n    tema-id: x\n", to: "p.yaml")
            let arguments = ProfileCommandTests.send + ["--profile-file", "p.yaml", "--profile"]
            let bad = try await command.run(arguments + ["sim"])
            #expect(bad.status == 2)
            #expect(
                bad.errors.contains("p.yaml:3:5: profiles.sim.tema-id: ") && bad.errors.contains("team-id?"),
                "\(bad.text)")
            try command.write("profiles:\n  sim:\n    topic: com.example.app\n", to: "p.yaml")
            let other = try await command.run(arguments + ["simm"])
            #expect(other.status == 2 && other.errors.contains("did you mean sim?"), "\(other.text)")
            let empty = try await command.run(arguments + ["sim"])
            #expect(empty.status == 2 && empty.errors.contains("there is no key"), "\(empty.text)")
            try command.write(
                "profiles:\n  sim:\n    key: |\n      -----BEGIN PRIVATE KEY-----\n      SECRET\n", to: "p.yaml")
            let key = try await command.run(arguments + ["sim"])
            #expect(
                key.status == 2 && key.errors.contains("p.yaml:4: ") && !key.errors.contains("SECRET"), "\(key.text)")
            let alone = try await command.run(ProfileCommandTests.send + ["--profile-file", "p.yaml"])
            #expect(alone.status == 64 && alone.errors.contains("--profile NAME"), "\(alone.text)")
        }
    }
}
