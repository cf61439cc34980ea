import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(10))) struct GatewayCommandTests {
    @Test func `the first line says where everything is, in the keys of the contract`() async throws {
        try await withLocalGateway { gateway, command in
            #expect(gateway.process.output.lines.first == gateway.readyLine)
            #expect(
                gateway.keys == ["event", "gateway", "control", "ca", "key", "key-id", "team-id", "topic", "channels"])
            #expect(gateway["event"] == "ready" && gateway["topic"] == "com.example.agent")
            #expect(gateway["ca"] == "certs/dev/ca.pem")
            #expect(gateway["key"] == "certs/dev/AuthKey_\(gateway["key-id"]).p8")
            #expect(gateway["team-id"].utf8.count == 10)
            #expect(try await gateway.call("GET", "/health").status == 200)
            let refused = try await gateway.call("GET", "/api/nothing")
            #expect(refused.status == 404)
        }
    }

    @Test func `credentials are made private, and a second start uses them`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway(command)
            await first.process.stop()
            func mode(_ name: String) throws -> Int {
                let path = command.folder.appendingPathComponent("certs/dev/\(name)").path
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
            }
            for name in ["ca.key", "server.key", "AuthKey_\(first["key-id"]).p8"] { #expect(try mode(name) == 0o600) }
            #expect(try mode("") == 0o700)
            let second = try await LocalGateway(command)
            await second.process.stop()
            #expect(second["key"] == first["key"] && second["team-id"] == first["team-id"])
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends it with a summary and status 0, and nothing else on stderr`(signal: Int32) async throws {
        try await withCommand { command in
            let gateway = try await LocalGateway(command)
            // Somebody listens, and a sender was here.
            let device = try command.start(["device", "--json", "--control", gateway["control"], "--token", "ab12"])
            try await device.line("connected")
            let sent = try await command.run(["send", "--token", "ab12", "--alert", "Hi"] + gateway.options)
            #expect(sent.status == 0, "\(sent.errors)")
            try await device.line("result")
            gateway.process.send(signal)
            #expect(await gateway.process.status() == 0)
            #expect(await gateway.process.errors.all() == "The gateway stopped; its journal held 1 notification.\n")
            await device.stop()
        }
    }

    @Test func `SIGTERM posts what webhooks take within the grace, and the log counts what they did not`() async throws
    {
        try await withCommand { command in
            // More answers than events: one that does not arrive in time is posted again.
            let answering = try ReplyServer(Array(repeating: ReplyServer.answer(200, ""), count: 30))
            let silent = try ReplyServer([])
            defer {
                answering.stop()
                silent.stop()
            }
            let hooks = [answering, silent].flatMap { ["--webhook", "http://127.0.0.1:\($0.port)/"] }
            let gateway = try await LocalGateway(command, ["--grace", "1s"] + hooks)
            for _ in 1...3 { #expect(try await gateway.call("DELETE", "/api/notifications").status == 204) }
            // The gateway has the answers, too.
            let isDelivered = try await eventually {
                try await gateway.call("GET", "/metrics").body.contains(#"{result="delivered"} 3"#)
            }
            let webhooks = try await gateway.call("GET", "/api/webhooks").body
            #expect(isDelivered, "\(webhooks)")
            gateway.process.send(SIGTERM)
            #expect(await gateway.process.status() == 0)
            let errors = await gateway.process.errors.all()
            #expect(
                errors.contains("a longer --grace gives them more time") && errors.contains("events=3"), "\(errors)")
        }
    }

    @Test func `the next gateway gets the ports of one that ended with open connections`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway.restartable(command)
            let device = try command.start(["device", "--json", "--control", first["control"], "--token", "ab12"])
            try await device.line("connected")
            let sender = try command.start(["send", "--batch", "-", "--json"] + first.options, hasInput: true)
            sender.feed(#"{"token":"ab12","payload":{"aps":{"alert":"Hi"}}}"# + "\n")
            try await device.line("result")
            // The gateway closes these connections first, so that its ports are in TIME_WAIT after its end.
            await first.process.stop()
            let second = try await LocalGateway.again(after: first, command)
            #expect(second.port == first.port && second.controlPort == first.controlPort)
            sender.endInput()
            await sender.status()
            await device.stop()
            await second.process.stop()
        }
    }

    @Test func `a port that is in use is named`() async throws {
        try await withLocalGateway { gateway, command in
            let sender = try await command.run(["gateway", "--port", gateway.port, "--control-port", "0"])
            #expect(sender.status == 2)
            #expect(sender.errors.contains("port \(gateway.port) on 127.0.0.1 is in use"), "\(sender.errors)")
            #expect(sender.errors.contains("--port 0"))
            #expect(sender.output.isEmpty)
            let control = try await command.run(["gateway", "--port", "0", "--control-port", gateway.controlPort])
            #expect(control.status == 2)
            #expect(control.errors.contains("port \(gateway.controlPort) on 127.0.0.1 is in use"), "\(control.errors)")
            #expect(control.errors.contains("--control-port 0"))
        }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        .timeLimit(.minutes(10)), arguments: ["gateway --control-port 0", "org"])
    func `a server that cannot print its address ends`(server: String) async throws {
        try await withCommand { command in
            let result = try await command.shell("exec apns \(server) --port 0 --json >/dev/full")
            #expect(result.status == 2)
            #expect(result.errors.contains("No space left on device"), "\(result.errors)")
        }
    }

    @Test func `other machines are let in with a control token only`() async throws {
        try await withCommand { command in
            let arguments = ["gateway", "--host", "0.0.0.0", "--port", "0", "--control-port", "0"]
            let refused = try await command.run(arguments)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("--control-token"), "\(refused.errors)")
            #expect(refused.errors.contains("other machines"))
            let token = "0123456789abcdef-e2e"
            let gateway = try await LocalGateway(command, ["--host", "0.0.0.0", "--control-token", token])
            #expect(try await gateway.call("GET", "/api/notifications").status == 401)
            let device = try await command.run(["device", "--control", gateway["control"]])
            #expect(device.status == 2)
            #expect(device.errors.contains("--control-token"), "\(device.errors)")
            let known = try command.start(
                ["device", "--json", "--control", gateway["control"], "--control-token", token])
            try await known.line("connected")
            await known.stop()
            await gateway.process.stop()
            #expect(!gateway.process.errors.text.contains(token))
        }
    }

    @Test(arguments: ["ca.key", "ca.pem", "server.pem", "server.key", "credentials.json"])
    func `damaged credentials are named with what to do`(name: String) async throws {
        try await withCommand { command in
            _ = try await command.run(["credentials"])
            try command.write("damaged", to: "certs/dev/\(name)")
            let result = try await command.run(["gateway", "--port", "0", "--control-port", "0"])
            #expect(result.status == 2)
            #expect(result.errors.contains("certs/dev/"), "\(result.errors)")
            #expect(result.errors.contains(name))
            #expect(result.errors.contains("apns credentials --force"))
            #expect(try await command.run(["credentials", "--force"]).status == 0)
            let gateway = try await LocalGateway(command)
            await gateway.process.stop()
        }
    }

    @Test(arguments: ["certs/dev", "with space/it's $HOME"])
    func `the lines to paste run as they are printed`(folder: String) async throws {
        try await withCommand { command in
            let gateway = try command.start(
                ["gateway", "--port", "0", "--control-port", "0", "--credentials", folder])
            let send = try await gateway.line("  apns send")
            let curl = try await gateway.line("--http2")
            let journal = try await gateway.line("/api/notifications")
            #expect(!gateway.output.text.contains("\u{1B}"))
            let sent = try await command.shell(send)
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(sent.errors.contains("1 accepted"))
            let posted = try await command.shell(curl)
            #expect(posted.output.hasPrefix("HTTP/2 200"), "\(posted.text)")
            #expect(posted.output.contains("apns-id: ") && posted.errors.isEmpty, "\(posted.text)")
            let seen = try await command.shell(journal + " -sS")
            #expect(try JSONText.object(seen.output)["total"] as? Int == 2)
            let refused = try await command.shell(curl.replacingOccurrences(of: "/3/device/", with: "/3/device/x"))
            #expect(refused.output.hasPrefix("HTTP/2 400"), "\(refused.text)")
            #expect(refused.output.contains("BadDeviceToken"), "\(refused.text)")
            await gateway.stop()
        }
    }

    @Test func `a strict gateway prints lines that name a device it has`() async throws {
        try await withCommand { command in
            try command.write(
                """
                devices: strict
                registered-devices: [{topic: com.example.other, token: cd34}, {topic: com.example.agent, token: ef56}]
                apps: [{topic: com.example.other, team-id: ABCDE12345}]
                """, to: "gateway.yaml")
            let gateway = try command.start(
                ["gateway", "--port", "0", "--control-port", "0", "--config", "gateway.yaml"])
            let sent = try await command.shell(try await gateway.line("  apns send"))
            #expect(sent.status == 0 && sent.errors.contains("1 accepted"), "\(sent.text)")
            await gateway.stop()
        }
    }

    @Test func `a strict gateway without a device prints how to register one`() async throws {
        try await withCommand { command in
            let gateway = try command.start(
                ["gateway", "--port", "0", "--control-port", "0", "--devices", "strict"])
            let registered = try await command.shell(try await gateway.line("/api/devices") + " -sS")
            let token = try #require(try JSONText.object(registered.output)["token"] as? String)
            let line = try await gateway.line("  apns send").replacingOccurrences(of: "DEVICE-TOKEN", with: token)
            let sent = try await command.shell(line)
            #expect(sent.status == 0 && sent.errors.contains("1 accepted"), "\(sent.text)")
            await gateway.stop()
        }
    }

    @Test func `the lines to paste call the command as it was called`() async throws {
        try await withCommand { command in
            let gateway = try command.start(
                ["gateway", "--port", "0", "--control-port", "0"], environment: ["APNS_COMMAND": "tools/apns"])
            try await gateway.line("  tools/apns send")
            #expect(try await gateway.line("  curl -sSi --http2").contains("$(tools/apns token make"))
            await gateway.stop()
            try command.write("damaged", to: "certs/dev/ca.pem")
            let damaged = try await command.run(["gateway"], environment: ["APNS_COMMAND": "/opt/x/tools/apns"])
            #expect(damaged.status == 2)
            #expect(damaged.errors.contains(": /opt/x/tools/apns credentials --force"), "\(damaged.errors)")
            let rule = try await command.run(["rules", "zzzzzz"], environment: ["APNS_COMMAND": "tools/apns"])
            #expect(rule.errors.contains(": tools/apns rules"), "\(rule.errors)")
        }
    }

    @Test func `--verbose prints each verdict, without whole device tokens`() async throws {
        try await withLocalGateway(["--verbose"]) { gateway, command in
            let token = String(repeating: "0", count: 60) + "abcd"
            _ = try await command.run(["send", "--token", token, "--alert", "Hi"] + gateway.options)
            let line = try await gateway.process.errorLine("0000…abcd")
            #expect(line.contains("200") || line.contains("accepted"))
            #expect(!gateway.process.errors.text.contains(token))
        }
    }

    @Test func `fault rules of a file are there from the start, and come back with a reset`() async throws {
        try await withCommand { command in
            try command.write(#"[{"effect":{"refuse":{"reason":"TooManyRequests"}},"count":1}]"#, to: "faults.json")
            let gateway = try await LocalGateway(command, ["--faults", "faults.json"])
            for _ in 0..<2 {
                let refused = try await command.run(["send", "--token", "ab12", "--alert", "Hi"] + gateway.options)
                #expect(refused.status == 1 && refused.text.contains("TooManyRequests"), "\(refused.text)")
                let accepted = try await command.run(["send", "--token", "ab12", "--alert", "Hi"] + gateway.options)
                #expect(accepted.status == 0, "\(accepted.text)")
                #expect(try await gateway.call("POST", "/api/reset").status == 204)
            }
            await gateway.process.stop()
        }
    }

    @Test func `a bad file of fault rules is named with line, key and what is wanted`() async throws {
        try await withCommand { command in
            try command.write("[\n{\"effect\":{\"lose\":\"yes\"}}\n]", to: "faults.json")
            let start = ["gateway", "--port", "0", "--control-port", "0", "--faults"]
            let bad = try await command.run(start + ["faults.json"])
            #expect(bad.status == 2)
            #expect(bad.errors.contains("faults.json: line 2, column 19: \"lose\" must be true"), "\(bad.errors)")
            let none = try await command.run(start + ["none.json"])
            #expect(none.status == 2)
            #expect(none.errors.contains("none.json cannot be read"), "\(none.errors)")
        }
    }

    struct Arguments: CustomTestStringConvertible {
        var arguments: [String]
        var says: String
        var status: Int32 = 64
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let bad = [
        Arguments(arguments: ["--port", "70000"], says: "0 to 65535"),
        Arguments(arguments: ["--retain", "0"], says: "--retain"),
        Arguments(arguments: ["--webhook", "ftp://127.0.0.1/"], says: "http://host:port/path"),
        Arguments(arguments: ["--webhook", "http://203.0.113.7/"], says: "--remote-webhooks", status: 2),
        Arguments(arguments: ["--worlds", "0"], says: "--worlds", status: 2),
        Arguments(arguments: ["--unregistered-delay", "soon"], says: "--unregistered-delay"),
        Arguments(arguments: ["--key", "AuthKey_ABC123DEFG.p8"], says: "team"),
        Arguments(arguments: ["--key", "key.p8", "--team-id", "DEF123GHIJ"], says: "AuthKey_"),
        Arguments(arguments: ["--key", "AuthKey_ABC123DEFG.p8", "--team-id", "x"], says: "team id"),
        Arguments(
            arguments: ["--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ"], says: "No such", status: 2),
        Arguments(arguments: ["--host", "203.0.113.7"], says: "--control-token", status: 2),
        Arguments(
            arguments: ["--host", "203.0.113.7", "--control-token", "0123456789abcdef"], says: "not an address of this",
            status: 2),
    ]

    @Test(arguments: bad) func `bad arguments are explained`(bad: Arguments) async throws {
        try await withCommand { command in
            let ports = bad.arguments.contains("--port") ? [] : ["--port", "0", "--control-port", "0"]
            let result = try await command.run(["gateway"] + ports + bad.arguments)
            #expect(result.status == bad.status)
            #expect(result.errors.contains(bad.says), "\(result.errors)")
        }
    }
}
