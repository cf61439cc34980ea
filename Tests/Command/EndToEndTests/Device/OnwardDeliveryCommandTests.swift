import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns device --exec` and `--forward` as a process, with a substitute for xcrun.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OnwardDeliveryCommandTests {
    private static let token = String(repeating: "0", count: 60) + "f0f0"

    private static func start(
        _ command: Command, _ gateway: LocalGateway, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> RunningCommand {
        let device = try command.start(
            ["device", "--json", "--control", gateway["control"], "--token", token] + arguments,
            environment: environment)
        try await device.line("connected")
        return device
    }

    /// - Returns: Its `apns-unique-id`.
    @discardableResult
    private static func send(
        _ text: String, _ command: Command, _ gateway: LocalGateway
    ) async throws -> String {
        let result = try await command.run(
            ["send", "--json", "--token", token, "--alert", text] + gateway.options)
        try #require(result.status == 0, "\(result.text)")
        return try JSONText.object(try #require(result.lines.first))["apns-unique-id"] as? String ?? ""
    }

    private static func text(_ name: String, _ command: Command) -> String {
        (try? String(contentsOf: command.folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }

    /// A folder for PATH with an `xcrun` that notes how it is called, and fails as long as the simulator is not booted.
    private static func standIn(_ command: Command) async throws -> [String: String] {
        // A shell writes it: a file that this process has open for writing could not be run by a child.
        let made = try await command.shell(
            """
            mkdir bin && cat >bin/xcrun <<'END' && chmod 700 bin/xcrun
            #!/bin/sh
            test -e booted || { echo 'No devices are booted.' >&2; exit 149; }
            echo "$1 $2 $3 $4" >>calls
            cat "$5" >>calls
            echo >>calls
            END
            """)
        try #require(made.status == 0, "\(made.text)")
        let path = Command.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": "\(command.folder.path)/bin:\(path)"]
    }

    @Test func `each push goes to the command, in order, before it counts as handled`() async throws {
        try await withLocalGateway { gateway, command in
            let script =
                "cat >>got; echo >>got; echo said; "
                + #"echo "$APNS_UNIQUE_ID $APNS_PUSH_TYPE $APNS_DEVICE_TOKEN" >>facts"#
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--count", "3", "--exec", script])
            var ids: [String] = []
            for text in ["One", "Two", "Three"] {
                ids.append(try await OnwardDeliveryCommandTests.send(text, command, gateway))
            }
            #expect(await device.status() == 0)
            let got = try OnwardDeliveryCommandTests.text("got", command).split(separator: "\n")
                .map { try JSONText.object($0) }
            #expect(got.compactMap { $0["apns-unique-id"] as? String } == ids)
            #expect(got.first?["token"] as? String == OnwardDeliveryCommandTests.token)
            #expect(
                OnwardDeliveryCommandTests.text("facts", command)
                    == ids.map { "\($0) alert 0000…f0f0\n" }.joined())
            // What the command prints is not mixed with the JSON.
            let summary = "The device stopped; it handled 3 pushes, all forwarded.\n"
            #expect(await device.errors.all() == "said\nsaid\nsaid\n" + summary)
            let names = try await device.output.all().split(separator: "\n").map {
                try JSONText.object($0)["event"] as? String ?? ""
            }
            #expect(names.prefix(4) == ["ready", "connected", "received", "handed-on"] && names.last == "result")
        }
    }

    @Test func `for a person the command prints where it likes`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try command.start([
                "device", "--control", gateway["control"], "--token", OnwardDeliveryCommandTests.token, "--count", "1",
                "--exec", "echo out; echo err >&2",
            ])
            try await device.line("connected, waiting for pushes; online, app background")
            try await OnwardDeliveryCommandTests.send("One", command, gateway)
            #expect(await device.status() == 0)
            #expect(await device.output.all().contains("\nout\n  forwarded to the command after "))
            #expect(await device.errors.all().hasPrefix("err\n"))
        }
    }

    @Test func `a push that cannot be forwarded is reported, and does not block the next ones`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--count", "2", "--attempts", "1", "--exec", "grep -q Good || exit 5"])
            let bad = try await OnwardDeliveryCommandTests.send("Bad", command, gateway)
            let good = try await OnwardDeliveryCommandTests.send("Good", command, gateway)
            let failed = try JSONText.object(try await device.line("not-handed-on"))
            #expect(failed["apns-unique-id"] as? String == bad && failed["again"] as? Bool == false)
            #expect(try await device.line("\"handed-on\"").contains(good))
            #expect(await device.status() == 1)
            let errors = await device.errors.all()
            #expect(errors.contains("\(bad) was not forwarded, try 1 of 1: the command ended with status 5; given up"))
            #expect(errors.hasSuffix("it handled 2 pushes, of which 1 could not be forwarded.\n"))
        }
    }

    @Test func `a command over its time is killed`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--count", "1", "--attempts", "1", "--time-limit", "50ms", "--exec", "sleep 1000"])
            try await OnwardDeliveryCommandTests.send("One", command, gateway)
            #expect(try await device.line("not-handed-on").contains("took longer than 50 ms and was killed"))
            #expect(await device.status() == 1)
        }
    }

    @Test func `Ctrl-C lets the command end, and a later run continues after it without a loss`() async throws {
        try await withLocalGateway { gateway, command in
            let fifo = command.folder.appendingPathComponent("fifo").path
            #expect(mkfifo(fifo, 0o600) == 0)
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--exec", "echo running >&2; cat fifo >/dev/null; cat >>got; echo >>got"])
            var ids = [try await OnwardDeliveryCommandTests.send("One", command, gateway)]
            try await device.errorLine("running")
            device.send(SIGINT)
            // The command is let go only after the signal, and it waits for that.
            _ = try await command.shell("echo >fifo")
            #expect(await device.status() == 0)
            let errors = await device.errors.all()
            #expect(errors == "running\nThe device stopped; it handled 1 push, all forwarded.\n", "\(errors)")
            #expect(OnwardDeliveryCommandTests.text("got", command).contains(ids[0]))
            ids.append(try await OnwardDeliveryCommandTests.send("Two", command, gateway))

            let again = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--count", "1", "--after", ids[0], "--exec", "cat >>got; echo >>got"])
            #expect(await again.status() == 0)
            let got = try OnwardDeliveryCommandTests.text("got", command).split(separator: "\n")
                .map { try JSONText.object($0)["apns-unique-id"] as? String ?? "" }
            #expect(got == ids)
        }
    }

    @Test func `a second Ctrl-C kills the command, and the push is reported as not forwarded`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--exec", "echo running >&2; sleep 1000"])
            let id = try await OnwardDeliveryCommandTests.send("One", command, gateway)
            try await device.errorLine("running")
            device.send(SIGINT)
            device.send(SIGTERM)
            #expect(await device.status() == 1)
            let errors = await device.errors.all()
            #expect(
                errors.contains("\(id) was not forwarded before the end. To continue with it: --after start\n"),
                "\(errors)")
        }
    }

    @Test func `a simulator gets each push, once it is booted`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway,
                [
                    "--count", "1", "--attempts", "20", "--forward", "simctl", "--simulator", "5D4B-UDID",
                    "--bundle", "com.example.agent.debug",
                ], environment: try await OnwardDeliveryCommandTests.standIn(command))
            try await OnwardDeliveryCommandTests.send("Hello", command, gateway)
            let failed = try await device.line("not-handed-on")
            #expect(failed.contains("xcrun simctl push ended with status 149: No devices are booted."))
            try command.write("", to: "booted")
            #expect(await device.status() == 0)
            #expect(
                OnwardDeliveryCommandTests.text("calls", command) == """
                    simctl push 5D4B-UDID com.example.agent.debug
                    {"Simulator Target Bundle":"com.example.agent.debug","aps":{"alert":"Hello"}}

                    """)
        }
    }

    @Test func `without xcrun it does not begin`() async throws {
        try await withCommand { command in
            let result = try await command.run(
                ["device", "--control", "http://127.0.0.1:1", "--forward", "simctl"],
                environment: ["PATH": command.folder.path])
            #expect(result.status == 2)
            #expect(result.errors.contains("there is no xcrun on the PATH"), "\(result.errors)")
        }
    }

    @Test func `a device hears the channels that it names`() async throws {
        try await withLocalGateway { gateway, command in
            let made = try await command.shell(
                """
                token=$(apns token make --key '\(gateway["key"])' --team-id '\(gateway["team-id"])')
                curl -s --http2 --cacert '\(gateway["ca"])' -H "authorization: bearer $token" --output /dev/null \
                    --write-out '%header{apns-channel-id}' -d '{"message-storage-policy":0,"push-type":"LiveActivity"}' \
                    '\(gateway["gateway"])/1/apps/com.example.agent/channels'
                """)
            let channel = made.output.trimmingCharacters(in: .newlines)
            try #require(!channel.isEmpty, "\(made.text)")
            let device = try await OnwardDeliveryCommandTests.start(
                command, gateway, ["--count", "1", "--channel", channel])
            let connected = try JSONText.object(device.output.lines[1])
            #expect(connected["channels"] as? [String] == [channel] && connected["online"] as? Bool == true)
            let sent = try await command.shell(
                """
                token=$(apns token make --key '\(gateway["key"])' --team-id '\(gateway["team-id"])')
                curl -s --http2 --cacert '\(gateway["ca"])' -H "authorization: bearer $token" \
                    -H 'apns-channel-id: \(channel)' -H 'apns-push-type: liveactivity' -H 'apns-priority: 10' \
                    -H 'apns-expiration: 0' --write-out '%{http_code}' \
                    -d '{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}' \
                    '\(gateway["gateway"])/4/broadcasts/apps/com.example.agent'
                """)
            #expect(sent.output == "200\n", "\(sent.text)")
            let received = try JSONText.object(try await device.line("received"))
            #expect(received["apns-channel-id"] as? String == channel)
            #expect(received["apns-request-id"] != nil && received["apns-id"] == nil)
            #expect(await device.status() == 0)
        }
    }

    @Test func `a channel that the gateway does not have is reported`() async throws {
        try await withLocalGateway { gateway, command in
            let result = try await command.run(
                ["device", "--control", gateway["control"], "--channel", "bm8gc3VjaCBjaGFubmVs"])
            #expect(result.status == 2)
            #expect(result.errors.contains("bm8gc3VjaCBjaGFubmVs"), "\(result.errors)")
        }
    }

    @Test(arguments: [
        ["--exec", "cat", "--forward", "simctl"], ["--exec", ""], ["--bundle", "a"], ["--simulator", "x"],
        ["--forward", "simctl", "--simulator", "-x"], ["--forward", "simctl", "--bundle", "a b"],
        ["--forward", "other"], ["--exec", "cat", "--attempts", "0"], ["--exec", "cat", "--time-limit", "fast"],
        ["--channel", ""], ["--after", "a b"],
    ])
    func `bad arguments are refused`(arguments: [String]) async throws {
        try await withCommand { command in
            let result = try await command.run(["device"] + arguments)
            #expect(result.status == 64, "\(result.text)")
        }
    }
}
