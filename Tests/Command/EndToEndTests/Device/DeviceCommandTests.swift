import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns device` as a process beside a gateway.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DeviceCommandTests {
    private static let token = String(repeating: "0", count: 60) + "e2e0"

    private static func start(
        _ command: Command, _ gateway: LocalGateway, _ arguments: [String] = []
    ) async throws -> RunningCommand {
        let device = try command.start(
            ["device", "--json", "--control", gateway["control"], "--token", token] + arguments)
        try await device.line("connected")
        return device
    }

    private static func send(
        _ payload: String, _ command: Command, _ gateway: LocalGateway,
        _ arguments: [String] = ["--push-type", "background"]
    ) async throws {
        try command.write(payload, to: "payload.json")
        let result = try await command.run(
            ["send", "--token", token, "--payload", "payload.json"] + gateway.options + arguments)
        try #require(result.status == 0, "\(result.text)")
    }

    private static func result(_ device: RunningCommand) async throws -> String {
        try JSONText.object(try await device.line(#""event":"result""#))["result"] as? String ?? ""
    }

    @Test func `it says who it is, and a push for a record is received, dispatched and answered`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await DeviceCommandTests.start(command, gateway, ["--count", "1"])
            let ready = try JSONText.object(device.output.lines[0])
            #expect(ready["event"] as? String == "ready" && ready["topic"] as? String == "com.example.agent")
            #expect(ready["token"] as? String == DeviceCommandTests.token)
            try await DeviceCommandTests.send(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#, command,
                gateway)
            #expect(await device.status() == 0)
            _ = await device.output.all()
            let lines = try device.output.lines.map { try JSONText.object($0) }
            let names = lines.compactMap { $0["event"] as? String }
            #expect(names.prefix(4) == ["ready", "connected", "received", "dispatched"])
            #expect(lines[3]["object"] as? String == "Account")
            #expect(lines[3]["records"] as? [String] == ["001xx000003DGb2AAG"])
            let what = lines.compactMap { $0["what"] as? String }
            #expect(what.contains { $0.contains("stays pending") && $0.contains("--org URL") }, "\(what)")
            #expect(names.last == "result")
            #expect(await device.errors.all() == "The device stopped; it handled 1 push.\n")
        }
    }

    @Test func `pushes without a record bring no data, and the device continues`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await DeviceCommandTests.start(command, gateway)
            let alert = ["--push-type", "alert"]
            try await DeviceCommandTests.send(
                #"{"aps":{"alert":"Test Push Notification"},"type":"TEST","message":"Hello"}"#, command, gateway, alert)
            #expect(try await DeviceCommandTests.result(device) == "noData")
            for payload in [
                #"{"aps":{"content-available":1},"type":"NOBODY_KNOWS"}"#,
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE"}"#,
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":17}"#,
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"../x"}"#,
                #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":"one"}"#,
                #"{"aps":{"content-available":1}}"#,
            ] {
                try await DeviceCommandTests.send(payload, command, gateway)
                #expect(try await DeviceCommandTests.result(device) == "noData", "\(payload)")
            }
            device.send(SIGTERM)
            #expect(await device.status() == 0)
            #expect(await device.errors.all() == "The device stopped; it handled 7 pushes.\n")
        }
    }

    @Test func `a device that was stopped for a while misses nothing and sees nothing twice`() async throws {
        try await withLocalGateway { gateway, command in
            // Fewer than the gateway keeps for one that does not read; behind that it is offline, and storage decides.
            let count = 400
            let device = try await DeviceCommandTests.start(command, gateway, ["--count", "\(count)"])
            device.send(SIGSTOP)
            let envelope = #"{"token":"\#(DeviceCommandTests.token)","payload":{"aps":{"alert":"Hi"}}}"# + "\n"
            try command.write(String(repeating: envelope, count: count), to: "batch.ndjson")
            let sent = try await command.run(["send", "--batch", "batch.ndjson", "--json"] + gateway.options)
            #expect(sent.status == 0, "\(sent.errors)")
            let ids = try sent.lines.map { try JSONText.object($0)["apns-unique-id"] as? String ?? "" }
            device.send(SIGCONT)
            #expect(await device.status() == 0)
            _ = await device.output.all()
            let received = try device.output.lines.filter { $0.contains(#""event":"received""#) }
                .map { try JSONText.object($0)["apns-unique-id"] as? String ?? "" }
            #expect(received.count == count)
            #expect(Set(received) == Set(ids))
            #expect(!device.output.text.contains(#""event":"gap""#))
        }
    }

    @Test func `when its gateway is killed and started again, it comes back with the same device token`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway.restartable(command)
            let device = try await DeviceCommandTests.start(command, first)
            try await DeviceCommandTests.send(#"{"aps":{"alert":"One"}}"#, command, first, [])
            _ = try await DeviceCommandTests.result(device)
            first.process.send(SIGKILL)
            await first.process.status()
            try await device.line("disconnected")
            let second = try await LocalGateway.again(after: first, command, ["--devices", "strict"])
            try await device.line(#""event":"connected""#)
            try await DeviceCommandTests.send(#"{"aps":{"alert":"Two"}}"#, command, second, [])
            #expect(try await device.line("received").contains("Two"))
            await device.stop()
            await second.process.stop()
        }
    }

    @Test func `it ends when the reader of its output is gone`() async throws {
        try await withLocalGateway { gateway, command in
            let shell = try RunningCommand(
                URL(fileURLWithPath: "/bin/sh"),
                [
                    "-c",
                    "(\"$APNS\" device --control \(gateway["control"]) --token \(DeviceCommandTests.token); "
                        + "echo \"status $?\" >&2) | head -2",
                ], in: command.folder, environment: ["APNS": try Command.executable().path])
            try await shell.line("connected")
            // `head` may end only after the device has written every line of the first push; the second makes it write again.
            for text in ["One", "Two"] {
                try await DeviceCommandTests.send(#"{"aps":{"alert":"\#(text)"}}"#, command, gateway, [])
            }
            #expect(await shell.status() == 0)
            #expect(await shell.errors.all().contains("status 2"))
        }
    }

    @Test func `without a gateway it says what to look at`() async throws {
        try await withCommand { command in
            let result = try await command.run(["device", "--control", "http://127.0.0.1:1"])
            #expect(result.status == 2)
            #expect(result.errors.contains("nothing answers at http://127.0.0.1:1: is the gateway running"))
            #expect(result.output.isEmpty)
        }
    }

    @Test func `a host without an address is a matter of its name`() async throws {
        // No resolver is asked for a name with so long a part.
        let host = String(repeating: "a", count: 64) + ".test"
        try await withCommand { command in
            for arguments in [
                ["device", "--control", "http://\(host):8444"],
                ["world", "list", "--control", "http://\(host):8444"],
            ] {
                let result = try await command.run(arguments)
                #expect(result.status == 2)
                #expect(
                    result.errors.contains("cannot find the host \(host); check its spelling"),
                    "\(result.errors)")
            }
        }
    }

    @Test func `with an org and no access token it says how to get one`() async throws {
        try await withCommand { command in
            let arguments = ["device", "--control", "http://127.0.0.1:1", "--org", "http://127.0.0.1:1"]
            let without = try await command.run(arguments)
            #expect(without.errors.contains("APNS_ORG_TOKEN is not set"), "\(without.errors)")
            let with = try await command.run(arguments, environment: ["APNS_ORG_TOKEN": "x"])
            #expect(!with.errors.contains("APNS_ORG_TOKEN"), "\(with.errors)")
        }
    }

    @Test(arguments: ["abc", "xy", ""]) func `an invalid device token is refused`(token: String) async throws {
        try await withCommand { command in
            let result = try await command.run(["device", "--token", token])
            #expect(result.status == 64)
            #expect(result.errors.contains("hexadecimal digits"), "\(result.errors)")
        }
    }

    @Test(arguments: [
        ["--count", "0"], ["--control", "https://127.0.0.1:1"], ["--org", "nowhere"], ["--entry", "side"],
    ])
    func `other bad arguments are refused`(arguments: [String]) async throws {
        try await withCommand { command in
            let result = try await command.run(["device"] + arguments)
            #expect(result.status == 64, "\(result.text)")
        }
    }
}
