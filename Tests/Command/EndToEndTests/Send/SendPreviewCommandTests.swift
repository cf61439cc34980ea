import Foundation
import ProviderToken
import Testing

/// `apns send --dry-run`, `--print-curl` and `--verbose`.
@Suite(.timeLimit(.minutes(10))) struct SendPreviewCommandTests {
    private static let device = String(repeating: "0", count: 62) + "ab"
    private static let complete = [
        "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ", "--topic", "com.example.agent",
    ]

    @Test func `a dry run needs no key, and shows headers and body`() async throws {
        try await withCommand { command in
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--token", SendPreviewCommandTests.device,
                "--title", "Visit", "--body", "At noon", "--expiration", "once",
            ])
            #expect(result.status == 0, "\(result.text)")
            #expect(result.output.hasPrefix("POST https://api.sandbox.push.apple.com:443/3/device/0000…00ab\n"))
            #expect(result.output.contains("  apns-expiration: 0  (one attempt, no storage)\n"))
            #expect(result.output.contains(#"{"aps":{"alert":{"title":"Visit","body":"At noon"}}}"#))
            #expect(result.errors == "1 notification shown, nothing sent.\n")
            #expect(!result.text.contains(SendPreviewCommandTests.device))
        }
    }

    @Test func `a dry run of a file that holds nothing ends as a send of it does`() async throws {
        try await withCommand { command in
            try command.write("\n", to: "batch.ndjson")
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--batch", "batch.ndjson",
            ])
            #expect(result.status == 2)
            #expect(result.text == "batch.ndjson holds nothing to send.\n")
        }
    }

    @Test func `a dry run shows what has errors with the findings, and its status is 1`() async throws {
        try await withCommand { command in
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--token", "ab", "--payload",
                #"{"aps":{"alert":7}}"#,
                "--json",
            ])
            #expect(result.status == 1)
            #expect(result.errors.contains("--payload:1:"), "\(result.errors)")
            let line = try JSONText.object(result.output)
            #expect((line["findings"] as? [[String: Any]])?.first?["pointer"] as? String == "/aps/alert")
            #expect(line["token"] as? String == "ab" && line["bytes"] as? Int == 19)
        }
    }

    @Test func `a dry run of a batch shows good lines and reports bad ones`() async throws {
        try await withCommand { command in
            try command.write(
                """
                {"token":"aa","payload":{"aps":{"alert":"Hi"}}}
                {"token":"<740f4707 bebcf74f>","payload":{"aps":{"alert":"Hi"}}}
                """, to: "batch.ndjson")
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--batch", "batch.ndjson", "--json",
            ])
            #expect(result.status == 1)
            #expect(result.lines.count == 1)
            #expect(result.errors.contains("batch.ndjson:2: token is \"<740…74f>\"; it must be"), "\(result.errors)")
            #expect(result.errors.contains("without brackets and spaces"))
        }
    }

    @Test func `a dry run of a batch reports warnings with file and line`() async throws {
        try await withCommand { command in
            try command.write(
                """
                {"token":"aa","payload":{"aps":{"alert":"Hi"}}}
                {"token":"bb","payload":{"aps":{"alert":"Hi","badge":-1,"baddge":1}}}
                """, to: "batch.ndjson")
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--batch", "batch.ndjson",
            ])
            #expect(result.errors.contains("batch.ndjson:2:"), "\(result.errors)")
            #expect(result.errors.contains(": warning: "), "\(result.errors)")
            #expect(!result.errors.contains("batch.ndjson:1:"))
        }
    }

    @Test(arguments: [
        ["--alert", "Hi"], ["--payload", #"{"aps":{"alert":"Hi"}}"#], ["--payload", "push.apns"],
        ["--batch", "batch.ndjson"],
    ])
    func `a finding about an option names the option, and neither the file nor a missing key`(
        source: [String]
    ) async throws {
        try await withCommand { command in
            try command.write(#"{"Simulator Target Bundle":"com.example.a","aps":{"alert":"Hi"}}"#, to: "push.apns")
            try command.write(#"{"payload":{"aps":{"alert":"Hi"}}}"#, to: "batch.ndjson")
            let arguments = ["send", "--dry-run", "--token", SendPreviewCommandTests.device] + source
            let result = try await command.run(arguments + ["--topic", ".com.example"])
            #expect(result.status == 1)
            #expect(
                result.errors.contains(#": error: --topic: apns-topic ".com.example" begins with"#), "\(result.errors)")
            #expect(!result.errors.contains("^") && !result.errors.contains("note:"), "\(result.errors)")
            let push = try await command.run(arguments + ["--topic", "com.example.voip"])
            #expect(
                push.errors.contains(": error: the default of --push-type: apns-push-type is alert"), "\(push.errors)")
            let time = try await command.run(arguments + ["--topic", "com.example", "--expiration", "3600"])
            #expect(time.errors.contains(": warning: --expiration: apns-expiration is 3600"), "\(time.errors)")
        }
    }

    @Test func `a finding about a variable names it, and one about a header of an envelope shows the header`()
        async throws
    {
        try await withCommand { command in
            let arguments = ["send", "--dry-run", "--token", SendPreviewCommandTests.device]
            let variable = try await command.run(
                arguments + ["--alert", "Hi"], environment: ["APNS_TOPIC": ".com.example"])
            #expect(variable.errors.contains(": error: APNS_TOPIC: apns-topic"), "\(variable.errors)")
            let envelope = #"{"apns-topic":".com.example","payload":{"aps":{"alert":"Hi"}}}"#
            try command.write(envelope, to: "batch.ndjson")
            for source in [["--payload", envelope], ["--batch", "batch.ndjson"]] {
                let result = try await command.run(arguments + source + ["--topic", "com.example.agent"])
                #expect(result.errors.contains(":1:15: error: apns-topic"), "\(result.errors)")
                #expect(result.errors.contains("\n                ^^^^^^^^^^^^^^\n"), "\(result.errors)")
            }
        }
    }

    @Test func `an envelope with an apns-id is for one device token`() async throws {
        try await withCommand { command in
            let envelope =
                #"{"apns-id":"00000000-0000-4000-8000-000000000001","payload":{"aps":{"alert":"Hi"}}}"#
            func run(_ tokens: [String]) async throws -> Command.Result {
                try await command.run(
                    ["send", "--dry-run", "--topic", "com.example.agent", "--payload", envelope]
                        + tokens.flatMap { ["--token", $0] })
            }
            #expect(try await run(["aa"]).status == 0)
            let several = try await run(["aa", "bb"])
            #expect(several.status == 64 && several.output.isEmpty)
            #expect(several.errors.contains("there are several device tokens"), "\(several.errors)")
        }
    }

    @Test func `a bad line of a token file names the form, with file and line`() async throws {
        try await withCommand { command in
            try command.write("# mine\n<740f4707 bebcf74f>\nfGx9Q_kE:APA91bHun4\n", to: "tokens.txt")
            let result = try await command.run([
                "send", "--dry-run", "--topic", "com.example.agent", "--tokens", "tokens.txt", "--alert", "Hi",
            ])
            #expect(result.status == 1)
            #expect(result.errors.contains("tokens.txt:2: the device token \"<740…74f>\" is the description of a Data"))
            #expect(
                result.errors.contains("tokens.txt:3: the device token \"fGx9…Hun4\" is a registration token of Fire"))
        }
    }

    @Test func `a line for curl names the key and has no provider token`() async throws {
        try await withCommand { command in
            try command.write(Data(SigningKey.generate().p8), to: "AuthKey_ABC123DEFG.p8")
            let arguments = ["send", "--print-curl", "--token", SendPreviewCommandTests.device, "--alert", "Hi"]
            let one = try await command.run(arguments + SendPreviewCommandTests.complete)
            #expect(one.status == 0, "\(one.text)")
            #expect(one.lines.count == 1)
            #expect(
                one.output.contains(
                    #"bearer $(apns token make --key AuthKey_ABC123DEFG.p8 --key-id ABC123DEFG --team-id DEF123GHIJ)""#),
                "\(one.output)")
            let two = try await command.run(arguments + ["--token", "ab"] + SendPreviewCommandTests.complete)
            #expect(two.lines.count == 3 && two.lines[0].hasPrefix("APNS_PROVIDER_TOKEN=$("), "\(two.output)")
        }
    }

    @Test(arguments: [1, 2])
    func `the lines for curl send what they were printed for`(devices: Int) async throws {
        try await withLocalGateway { gateway, command in
            let tokens = Set((1...devices).map { String(repeating: "0", count: 63) + "\($0)" })
            let printed = try await command.run(
                ["send", "--print-curl", "--title", "It's $HOME", "--body", "at `noon`", "--collapse-id", "c 1"]
                    + tokens.flatMap { ["--token", $0] } + gateway.options)
            #expect(printed.status == 0, "\(printed.text)")
            #expect(try await gateway.total() == 0)
            let posted = try await command.shell(printed.output)
            #expect(
                posted.status == 0 && posted.output.split(separator: "HTTP/2 200").count == devices, "\(posted.text)")
            let received = try await gateway.notifications()
            #expect(received.count == devices && Set(received.map { $0["token"] as? String ?? "" }) == tokens)
            for notification in received {
                let alert = ((notification["payload"] as? [String: Any])?["aps"] as? [String: Any])?["alert"]
                #expect(alert as? [String: String] == ["title": "It's $HOME", "body": "at `noon`"])
                #expect(notification["apns-collapse-id"] as? String == "c 1")
            }
        }
    }

    @Test(arguments: [
        (["--dry-run", "--print-curl"], "give one of them"), (["--dry-run", "--journal", "x"], "nothing to record"),
        (["--print-curl", "--json"], "not JSON"), (["--dry-run", "--verbose"], "nothing to show"),
        (["--dry-run", "--rate", "5"], "no effect"), (["--user", "ada"], "leave out --token"),
        (["--org", "http://127.0.0.1:1"], "--org needs --user"),
    ])
    func `options that need a connection are refused where there is none`(more: [String], says: String) async throws {
        try await withCommand { command in
            let result = try await command.run(["send", "--token", "ab", "--alert", "Hi"] + more)
            #expect(result.status == 64)
            #expect(result.errors.contains(says), "\(result.errors)")
        }
    }

    @Test func `verbose shows the connection and both sides' headers, but no token`() async throws {
        try await withLocalGateway { gateway, command in
            let result = try await command.run(
                [
                    "send", "--token", SendPreviewCommandTests.device, "--hint", "TEST", "--verbose", "--priority", "5",
                    "--expiration", "once", "--collapse-id", "c1", "--json",
                ] + gateway.options)
            #expect(result.status == 0, "\(result.text)")
            let line = try JSONText.object(result.output)
            let id = try #require(line["apns-id"] as? String)
            for text in [
                "* connecting to \(gateway["gateway"]) (connection 1)\n", ": TLSv1.3, ", "HTTP/2, certificate of ",
                "> POST /3/device/0000…00ab (connection 1, stream 1)\n>   authorization: bearer (not shown)\n",
                "<   apns-unique-id: \(line["apns-unique-id"] ?? "")\n", "< 200 (connection 1, stream 1)\n",
            ] {
                #expect(result.errors.contains(text), "\(text) is not in \(result.errors)")
            }
            #expect(!result.errors.contains(SendPreviewCommandTests.device) && !result.errors.contains("eyJ"))
            // What it shows as sent is what the gateway received.
            let received = try #require(try await gateway.notifications().first)
            let shown = result.errors.split(separator: "\n").filter { $0.hasPrefix(">   apns-") }.map {
                $0.dropFirst(4)
            }
            #expect(shown.count == 6)
            for field in shown {
                let name = String(field.prefix { $0 != ":" })
                #expect("\(received[name] ?? "")" == field.dropFirst(name.count + 2), "\(field)")
            }
            #expect(shown.contains("apns-id: \(id)"))
        }
    }
}
