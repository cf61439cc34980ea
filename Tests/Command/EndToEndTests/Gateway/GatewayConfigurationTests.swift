import Foundation
import TLSSession
import Testing

/// `apns gateway --config`, and what else keeps a gateway from starting.
@Suite(.serialized, .timeLimit(.minutes(10))) struct GatewayConfigurationTests {
    private static let file = """
        port: 0
        control-port: 0
        devices: strict
        json: true
        apps: [{topic: com.example.mail, team-id: ABCDE12345}]
        registered-devices: [{topic: com.example.agent, token: ab12}]
        contested: {malformed-json: refuse}
        device-rate: 1/1h
        faults: [{match: {token: cd34}, effect: {refuse: {reason: Shutdown}}}]
        """

    @Test func `a gateway is what its file says`() async throws {
        try await withCommand { command in
            try command.write(Self.file, to: "conf/gateway.yaml")
            // The folder of the credentials is beside the current folder, as without a file.
            let process = try command.start(["gateway", "--config", "conf/gateway.yaml"])
            let facts = try JSONText.object(try await process.line("\"ready\""))
            let options = [
                "gateway": "--gateway", "ca": "--ca", "key": "--key", "team-id": "--team-id", "topic": "--topic",
            ]
            .flatMap { [$0.value, facts[$0.key] as? String ?? ""] }
            func send(_ token: String) async throws -> Command.Result {
                try await command.run(["send", "--token", token, "--alert", "Hi"] + options)
            }
            #expect(try await send("ab12").status == 0)
            #expect(try await send("ab12").output.contains("TooManyRequests"))
            #expect(try await send("ef56").output.contains("BadDeviceToken"))
            #expect(try await send("cd34").output.contains("Shutdown"))
            let control = facts["control"] as? String ?? ""
            let settings = try await command.shell("curl -sS \(control)/api/settings")
            #expect(settings.output.contains(#""malformed-json":"refuse""#), "\(settings.text)")
            let apps = try await command.shell("curl -sS \(control)/api/apps")
            #expect(apps.output.contains("com.example.mail"), "\(apps.text)")
            await process.stop()
        }
    }

    @Test(arguments: [(0o644, true), (0o640, false)])
    func `a control token in a file that everybody can read is warned of`(mode: Int, isWarned: Bool) async throws {
        try await withCommand { command in
            try command.write("control-token: a-secret-of-16-or-more\n", to: "gateway.yaml")
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: command.folder.appendingPathComponent("gateway.yaml").path)
            let result = try await command.run(["gateway", "--config", "gateway.yaml", "--check-config"])
            #expect(result.status == 0)
            #expect(result.errors.contains("gateway.yaml holds a control token") == isWarned, "\(result.text)")
            #expect(!result.text.contains("a-secret"))
        }
    }

    @Test func `of a file that names another one with the control token, that one is warned of`() async throws {
        try await withCommand { command in
            let file = try command.write("control-token-file: token\n", to: "gateway.yaml")
            let token = try command.write("a-secret-of-16-or-more\n", to: "token")
            for file in [file, token] {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            }
            let result = try await command.run(["gateway", "--config", "gateway.yaml", "--check-config"])
            #expect(result.status == 0)
            #expect(result.errors.contains("token holds a control token"), "\(result.text)")
            #expect(!result.errors.contains("gateway.yaml holds a control token"), "\(result.text)")
        }
    }

    @Test(arguments: [
        ("host: 0.0.0.0", "gateway.yaml:2:7: host: 0.0.0.0 opens the control API to other machines"),
        (
            "webhooks: [http://127.0.0.1:9/, http://10.0.0.1/]",
            "gateway.yaml:2:33: webhooks[1]: http://10.0.0.1:80/ sends what happens here to another machine"
        ),
        ("store: /nonexistent/x", "gateway.yaml:2:8: store: /nonexistent/x cannot be the store"),
        ("channel-port: 8443", "gateway.yaml:2:15: channel-port: is 8443, as is --port"),
    ])
    func `a conflict of several values is reported with its place in the file`(line: String, message: String)
        async throws
    {
        try await withCommand { command in
            try command.write("control-port: 0\n\(line)\n", to: "gateway.yaml")
            let result = try await command.run(["gateway", "--config", "gateway.yaml"])
            #expect(result.status == 2 && result.errors.contains(message), "\(result.text)")
        }
    }

    @Test func `a value of an option is reported with the option`() async throws {
        try await withCommand { command in
            try command.write("host: 127.0.0.1\nwebhooks: [http://127.0.0.1:9/]\n", to: "gateway.yaml")
            let host = try await command.run(["gateway", "--config", "gateway.yaml", "--host", "0.0.0.0"])
            #expect(host.errors.contains("--host 0.0.0.0 opens") && !host.errors.contains("gateway.yaml"))
            let hook = try await command.run(
                ["gateway", "--config", "gateway.yaml", "--webhook", "http://10.0.0.1/"])
            #expect(
                hook.errors.contains("--webhook http://10.0.0.1:80/ sends") && !hook.errors.contains("gateway.yaml"))
        }
    }

    @Test func `an unreadable key is reported with what it should be`() async throws {
        try await withCommand { command in
            let result = try await command.run(
                ["gateway", "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "ABCDE12345"])
            #expect(result.status == 2)
            #expect(result.errors.contains("it should be a key that provider tokens are signed with"), "\(result.text)")
        }
    }

    @Test func `options win over the file`() async throws {
        try await withCommand { command in
            try command.write(Self.file, to: "gateway.yaml")
            let gateway = try await LocalGateway(
                command,
                [
                    "--config", "gateway.yaml", "--devices", "open", "--device-rate", "off", "--contested",
                    "malformed-json=accept", "--contested", "retry-after=on", "--environment", "production",
                ])
            let settings = try await gateway.call("GET", "/api/settings").body
            for part in [
                #""devices":"open""#, #""device-rate":"off""#, #""malformed-json":"accept""#, #""retry-after":"on""#,
            ] { #expect(settings.contains(part), "\(part)") }
            // The device of the file is of the environment that the command says.
            let device = try await gateway.call("GET", "/api/devices/ab12")
            #expect(device.body.contains(#""environment":"production""#), "\(device.body)")
            await gateway.process.stop()
        }
    }

    @Test func `fault rules of a file go to the worlds of the configuration that they name`() async throws {
        try await withCommand { command in
            try command.write("worlds: [{name: orders}, {name: payments}]\n", to: "gateway.yaml")
            try command.write("match: {world: orders}\neffect: {lose: true}\n", to: "faults.yaml")
            let gateway = try await LocalGateway(command, ["--config", "gateway.yaml", "--faults", "faults.yaml"])
            for (world, count) in [("orders", 1), ("payments", 0), ("default", 0)] {
                let rules = try await gateway.call("GET", "/w/\(world)/api/faults").body
                #expect(try JSONText.object(rules)["faults"].map { ($0 as? [Any])?.count } == count, "\(rules)")
            }
            await gateway.process.stop()
        }
    }

    @Test func `all errors of a file are reported with their places, and nothing is started or made`() async throws {
        try await withCommand { command in
            try command.write("port: x\n\nretain: 0\n", to: "gateway.yaml")
            for check in [[], ["--check-config"]] {
                let result = try await command.run(["gateway", "--config", "gateway.yaml"] + check)
                #expect(result.status == 2 && result.output.isEmpty)
                #expect(result.errors.contains("\ngateway.yaml:1:7: port: \"x\" is given where"), "\(result.errors)")
                #expect(result.errors.contains("\ngateway.yaml:3:9: retain: \"0\" is given where"), "\(result.errors)")
            }
            let none = try await command.run(["gateway", "--config", "none.yaml"])
            #expect(none.status == 2 && none.errors.contains("none.yaml cannot be read"), "\(none.errors)")
            try command.write("port: 0\n", to: "good.yaml")
            let good = try await command.run(["gateway", "--config", "good.yaml", "--check-config"])
            #expect(good.status == 0 && good.errors.contains("The configuration is valid."), "\(good.text)")
            let folder = command.folder.appendingPathComponent("certs").path
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    static let bad: [([String], String, Int32)] = [
        (["--contested", "malformed-json"], "a name and a value such as malformed-json=refuse", 64),
        (["--contested", "malformed-json=perhaps"], "malformed-json is accept or refuse, not \"perhaps\"", 64),
        (["--contested", "nothing=1"], "there is no contested question \"nothing\"", 64),
        (["--device-rate", "ten"], "a count and a duration such as 10/1m, or off", 64),
        (["--channel-rate", "10/"], "--channel-rate", 64),
        (["--credentials", "file"], "file", 2),
    ]

    @Test(arguments: bad)
    func `bad options are explained`(arguments: [String], says: String, status: Int32) async throws {
        try await withCommand { command in
            try command.write("no folder", to: "file")
            let result = try await command.run(["gateway", "--port", "0", "--control-port", "0"] + arguments)
            #expect(result.status == status && result.errors.contains(says), "\(result.text)")
        }
    }

    /// Puts a server certificate into `certs/dev` that its own authority made for another time.
    private func replaceServer(_ command: Command, from start: Int64, until end: Int64) throws {
        let folder = command.folder.appendingPathComponent("certs/dev")
        func bytes(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appendingPathComponent(name)))
        }
        let authority = try DevelopmentAuthority(
            identity: TLSIdentity(pem: bytes("ca.pem"), key: bytes("ca.key"), passphrase: nil))
        let server = try authority.server(validity: CertificateValidity(notBefore: start, notAfter: end))
        try command.write(Data(try server.chainPEM), to: "certs/dev/server.pem")
        try command.write(Data(try server.privateKeyPEM), to: "certs/dev/server.key")
    }

    @Test func `an expired server certificate is renewed in memory, and in its folder on request`() async throws {
        try await withCommand { command in
            let made = try await command.run(["credentials", "--json"])
            try replaceServer(command, from: 1_600_000_000, until: 1_700_000_000)
            let file = command.folder.appendingPathComponent("certs/dev/server.pem")
            let expired = try Data(contentsOf: file)
            let gateway = try await LocalGateway(command)
            let sent = try await command.run(["send", "--token", "ab12", "--alert", "Hi"] + gateway.options)
            #expect(sent.status == 0, "\(sent.text)")
            await gateway.process.stop()
            #expect(try Data(contentsOf: file) == expired)
            let renewed = try await command.run(["credentials", "--renew", "--json"])
            #expect(renewed.status == 0 && renewed.output == made.output, "\(renewed.text)")
            #expect(try Data(contentsOf: file) != expired)
        }
    }

    @Test func `a certificate that is not valid yet is reported with its folder`() async throws {
        try await withCommand { command in
            _ = try await command.run(["credentials"])
            try replaceServer(command, from: 4_000_000_000, until: 4_100_000_000)
            let folder = command.folder
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent("certs/dev"), to: folder.appendingPathComponent("keys"))
            let refused = try await command.run(
                ["gateway", "--port", "0", "--control-port", "0", "--credentials", "keys"])
            #expect(refused.status == 2 && refused.errors.contains("is not valid before 2096"), "\(refused.errors)")
            #expect(refused.errors.contains("apns credentials --renew --output keys"), "\(refused.errors)")
        }
    }
}
