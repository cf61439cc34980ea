import Foundation
import ProviderToken
import Testing

struct SendTests {
    private static let device = String(repeating: "0", count: 62) + "ab"
    /// Nothing listens there.
    private static let nowhere = "https://127.0.0.1:1"

    /// Options that are complete, with a new key.
    private static func complete(_ command: Command) throws -> [String] {
        try command.write(Data(SigningKey.generate().p8), to: "AuthKey_ABC123DEFG.p8")
        return [
            "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ", "--topic", "com.example.agent", "--gateway",
            nowhere,
        ]
    }

    @Test func `without a gateway the error is printed once, every notification has a line, and the status is 2`()
        async throws
    {
        try await withCommand { command in
            let tokens = (0..<1500).map { String(format: "%064x", $0) }.joined(separator: "\n")
            try command.write(tokens, to: "tokens.txt")
            let options =
                try ["send", "--tokens", "tokens.txt", "--alert", "Hi", "--json"] + SendTests.complete(command)
            let result = try await command.run(options)
            #expect(result.status == 2)
            #expect(result.lines.count == 1500)
            #expect(result.lines.allSatisfy { $0.contains(#""outcome":"unsent","status":null,"reason":null"#) })
            #expect(result.errors.components(separatedBy: "connection-failed:").count == 2, "\(result.errors)")
            #expect(result.errors.contains("unsent: 1500 connection-failed"))
            #expect(result.errors.contains("0 accepted, 0 refused, 1500 unsent, 0 unknown"))
        }
    }

    @Test func `people read the summary and not a line for each notification that no connection took`() async throws {
        try await withCommand { command in
            let options = try ["send", "--token", SendTests.device, "--alert", "Hi"] + SendTests.complete(command)
            let result = try await command.run(options)
            #expect(result.status == 2)
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("1 notification in"))
            #expect(!result.errors.contains(SendTests.device))
        }
    }

    @Test func `bad lines of a token file are reported with their numbers`() async throws {
        try await withCommand { command in
            try command.write("# mine\n\n\(SendTests.device)\nabc\n  00ff # the second\nxy\n", to: "tokens.txt")
            let options = try ["send", "--tokens", "tokens.txt", "--alert", "Hi"] + SendTests.complete(command)
            let result = try await command.run(options)
            #expect(result.errors.contains("tokens.txt:4: the device token \"abc\" has 3 digits"), "\(result.errors)")
            #expect(result.errors.contains("tokens.txt:6: "))
            #expect(result.errors.contains("2 notifications in"))
            #expect(result.errors.contains("; 2 bad lines"))
        }
    }

    @Test func `a token file with only bad lines is no success`() async throws {
        try await withCommand { command in
            try command.write("xy\n", to: "tokens.txt")
            let options = try ["send", "--tokens", "tokens.txt", "--alert", "Hi"] + SendTests.complete(command)
            #expect(try await command.run(options).status == 1)
        }
    }

    @Test func `an empty token file is said to hold nothing`() async throws {
        try await withCommand { command in
            let options = try ["send", "--tokens", "-", "--alert", "Hi"] + SendTests.complete(command)
            let result = try await command.run(options, input: "# empty\n")
            #expect(result.status == 2)
            #expect(result.errors.contains("standard input holds nothing to send"))
        }
    }

    @Test func `bad envelopes of a batch are reported with their place, also one that a check holds back`() async throws
    {
        try await withCommand { command in
            try command.write(
                """
                {"token":"\(SendTests.device)","payload":{"aps":{"alert":"Hi"}}}
                {"token":"\(SendTests.device)","payload":{"aps":{"alert":"Hi"}
                {"aps":{"alert":"Hi"}}
                {"payload":{"aps":{"alert":"Hi"}}}
                {"token":"\(SendTests.device)","apns-priority":7,"payload":{"aps":{"alert":"Hi"}}}
                {"token":"\(SendTests.device)","apns-push-type":"background","payload":{"aps":{"alert":"Hi"}}}
                """, to: "batch.ndjson")
            let options = try ["send", "--batch", "batch.ndjson", "--json"] + SendTests.complete(command)
            let result = try await command.run(options)
            #expect(result.status == 1)
            #expect(result.errors.contains("batch.ndjson:2:"), "\(result.errors)")
            #expect(result.errors.contains("batch.ndjson:3: this is not an envelope"))
            #expect(result.errors.contains("batch.ndjson:4: token is missing"))
            #expect(result.errors.contains("batch.ndjson:5: apns-priority is \"7\""))
            #expect(result.errors.contains("batch.ndjson:6:"))
            #expect(result.errors.contains("[background-alert]"))
            #expect(result.errors.contains("0 accepted, 0 refused, 2 unsent, 0 unknown; 4 bad lines"))
            #expect(result.lines.count == 6)
            #expect(result.lines.filter { $0.contains(#""error":"bad-line""#) }.count == 4)
        }
    }

    @Test func `a payload with an error is reported and not sent`() async throws {
        try await withCommand { command in
            try command.write("{\"aps\":\n  {\"alert\":\"Hi\"},}", to: "bad.json")
            let options =
                try ["send", "--token", SendTests.device, "--payload", "bad.json"] + SendTests.complete(command)
            let result = try await command.run(options)
            #expect(result.status == 1)
            #expect(result.errors.contains("bad.json:2:"), "\(result.errors)")
            #expect(result.errors.contains("[payload-json]"))
            #expect(result.errors.contains("--skip-validation"))
            // With the check left out it gets as far as the gateway that is not there.
            #expect(try await command.run(options + ["--skip-validation"]).status == 2)
        }
    }

    @Test func `a finding about an option of a broadcast names the option`() async throws {
        try await withCommand { command in
            try command.write(
                #"{"apns-expiration":0,"payload":{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}}"#,
                to: "update.json")
            let result = try await command.run(
                ["send", "--channel", "dHN0LXNyY2gtY2hubA==", "--payload", "update.json", "--expiration", "3600"]
                    + SendTests.complete(command))
            #expect(
                result.errors.contains("update.json:1:1: warning: --expiration: apns-expiration is 3600"),
                "\(result.errors)")
            #expect(!result.errors.contains("^"))
        }
    }

    @Test func `records that need several notifications are announced`() async throws {
        try await withCommand { command in
            let records = (0..<192).map { String(format: "0xI%015d", $0) }
            let options =
                try ["send", "--token", SendTests.device, "--hint", "INTERACTION"] + SendTests.complete(command)
                + ["--record"] + records
            let result = try await command.run(options)
            #expect(result.errors.contains("The 192 records are sent as 2 notifications"), "\(result.errors)")
            #expect(result.errors.contains("2 notifications in"))
        }
    }

    struct Broken: CustomTestStringConvertible {
        var arguments: [String]
        var says: String
        var status: Int32 = 2

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let broken: [Broken] = [
        Broken(arguments: ["--key", "none.p8"], says: "none.p8 cannot be read: No such file"),
        Broken(arguments: ["--key", "."], says: "Is a directory"),
        Broken(arguments: ["--key", "notes.txt"], says: "no line -----BEGIN PRIVATE KEY-----"),
        Broken(arguments: ["--key", "key.p8", "--team-id", "DEF123GHIJ"], says: "--key-id"),
        Broken(arguments: ["--key", "AuthKey_ABC123DEFG.p8"], says: "--team-id"),
        Broken(
            arguments: ["--key", "AuthKey_ABC123DEFG.p8", "--team-id", "short"], says: "10 characters", status: 64),
        Broken(
            arguments: ["--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ", "--ca", "none.pem"],
            says: "none.pem cannot be read"),
        Broken(
            arguments: ["--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ", "--ca", "notes.txt"],
            says: "notes.txt cannot be used: "),
        Broken(arguments: ["--certificate", "notes.txt"], says: "notes.txt cannot be used: "),
        Broken(arguments: ["--certificate", "none.p12"], says: "none.p12 cannot be read"),
        Broken(arguments: [], says: "there is no key"),
        Broken(arguments: ["--gateway", "local"], says: "apns gateway"),
        Broken(arguments: ["--gateway", "http://x"], says: "https://HOST", status: 64),
    ]

    @Test(arguments: broken) func `credentials that cannot be used end it with what to do`(broken: Broken) async throws
    {
        try await withCommand { command in
            _ = try SendTests.complete(command)
            try command.write(Data(SigningKey.generate().p8), to: "key.p8")
            try command.write("not a key", to: "notes.txt")
            let result = try await command.run(
                ["send", "--token", SendTests.device, "--topic", "com.example.agent", "--alert", "Hi"]
                    + broken.arguments)
            #expect(result.status == broken.status)
            #expect(result.errors.contains(broken.says), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test func `a missing topic and a missing payload file are named`() async throws {
        try await withCommand { command in
            var options = try SendTests.complete(command)
            let topic = try #require(options.firstIndex(of: "--topic"))
            let missing = try await command.run(
                ["send", "--token", SendTests.device, "--payload", "none.json"] + options)
            #expect(missing.status == 2)
            #expect(missing.errors.contains("none.json cannot be read"))
            options.removeSubrange(topic...topic + 1)
            let result = try await command.run(["send", "--token", SendTests.device, "--alert", "Hi"] + options)
            #expect(result.status == 64)
            #expect(result.errors.contains("--topic"), "\(result.errors)")
        }
    }

    @Test
    func
        `the development credentials of a folder above are found, and environment variables are the defaults of options`()
        async throws
    {
        try await withCommand { command in
            try command.write(Data(SigningKey.generate().p8), to: "certs/dev/AuthKey_ABC123DEFG.p8")
            try command.write(
                #"{"key":"AuthKey_ABC123DEFG.p8","key-id":"ABC123DEFG","team-id":"DEF123GHIJ","topic":"com.example.a"}"#,
                to: "certs/dev/credentials.json")
            let local = try await command.run(
                ["send", "--token", SendTests.device, "--alert", "Hi", "--gateway", "local"])
            #expect(local.errors.contains("certs/dev/ca.pem cannot be read"), "\(local.errors)")
            let result = try await command.run(
                ["send", "--token", SendTests.device, "--alert", "Hi"],
                environment: [
                    "APNS_KEY": "certs/dev/AuthKey_ABC123DEFG.p8", "APNS_TEAM_ID": "DEF123GHIJ",
                    "APNS_TOPIC": "com.example.a", "APNS_GATEWAY": SendTests.nowhere,
                ])
            #expect(result.status == 2)
            #expect(result.errors.contains("1 unsent"), "\(result.errors)")
        }
    }
}
