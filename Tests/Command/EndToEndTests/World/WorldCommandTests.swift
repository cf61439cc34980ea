import Foundation
import TestSupport
import Testing

/// `apns world` with a running gateway.
@Suite(.timeLimit(.minutes(10))) struct WorldCommandTests {
    @Test func `the gateway is that of --control, a URL or local with a port, and otherwise the newest`() async throws {
        try await withLocalGateway { gateway, command in
            for options in [["--control", gateway["control"]], ["--control", "local:\(gateway.port)"], []] {
                let made = try await command.run(["world", "make", "orders"] + options)
                #expect(made.status == 0, "\(options): \(made.text)")
                let listed = try await command.run(["world", "list"] + options)
                #expect(listed.lines.map { $0.prefix { $0 != ":" } } == ["default", "orders"], "\(listed.text)")
                let removed = try await command.run(["world", "remove", "orders"] + options)
                #expect(removed.status == 0, "\(options): \(removed.text)")
            }
            let other = try await command.run(["world", "list", "--control", "http://127.0.0.1:1"])
            #expect(other.status == 2)
            #expect(other.errors.contains("http://127.0.0.1:1"), "\(other.text)")
            let bad = try await command.run(["world", "list", "--control", "nowhere"])
            #expect(bad.status == 64, "\(bad.text)")
        }
    }

    @Test func `a world is exported to a file, and another one made of it`() async throws {
        try await withLocalGateway { gateway, command in
            let device = #"{"topic":"\#(gateway["topic"])","token":"ab12"}"#
            #expect((200...299).contains(try await gateway.call("POST", "/w/orders/api/devices", device).status))
            let control = ["--control", gateway["control"]]
            let exported = try await command.run(["world", "export", "orders"] + control)
            #expect(exported.status == 0, "\(exported.text)")
            try command.write(exported.output, to: "orders.json")
            let made = try await command.run(["world", "make", "copy", "--from", "orders.json"] + control)
            #expect(made.status == 0, "\(made.text)")
            #expect(try await gateway.call("GET", "/w/copy/api/devices/ab12").status == 200)
            let missing = try await command.run(["world", "remove", "nothing"] + control)
            #expect(missing.status == 1, "\(missing.text)")
        }
    }

    @Test func `a world is made of YAML, and imported from it`() async throws {
        try await withLocalGateway { gateway, command in
            let control = ["--control", gateway["control"]]
            let device = "registered-devices:\n- {topic: com.example.mail, token: ab12}\n"
            try command.write("devices: strict\n" + device, to: "mail.yaml")
            let made = try await command.run(["world", "make", "mail", "--from", "mail.yaml"] + control)
            #expect(made.status == 0, "\(made.text)")
            #expect(try await gateway.call("GET", "/w/mail/api/devices/ab12").status == 200)
            let imported = try await command.run(["world", "import", "mail.yaml", "post"] + control)
            #expect(imported.status == 0, "\(imported.text)")
            #expect(try await gateway.call("GET", "/w/post/api/devices/ab12").status == 200)
            try command.write("# strict\ndevices: strickt\n", to: "bad.yaml")
            for arguments in [["make", "other", "--from", "bad.yaml"], ["import", "bad.yaml", "other"]] {
                let refused = try await command.run(["world"] + arguments + control)
                #expect(refused.status == 1, "\(refused.text)")
                #expect(refused.errors.contains("bad.yaml:2:10: devices: \"strickt\" is none of"), "\(refused.text)")
            }
        }
    }

    @Test func `an export without state is a world of a configuration file, and one with state says what to do`()
        async throws
    {
        try await withLocalGateway { gateway, command in
            let topic = gateway["topic"]
            for (method, path, body) in [
                ("POST", "devices", #"{"topic":"\#(topic)","token":"ab12"}"#),
                ("PATCH", "devices/ab12", #"{"low-power":true,"app-state":"foreground"}"#),
                ("POST", "apps", #"{"topic":"com.example.mail","team-id":"ABCDE12345"}"#),
                ("POST", "faults", #"{"effect":{"delay":"1ms"},"match":{"token":"cd34"},"count":3}"#),
            ] {
                let answer = try await gateway.call(method, "/w/orders/api/\(path)", body)
                #expect((200...201).contains(answer.status), "\(answer.body)")
            }
            let control = ["--control", gateway["control"]]
            let exported = try await command.run(["world", "export", "orders", "--no-state"] + control)
            try command.write("port: 0\ncontrol-port: 0\nworlds:\n- \(exported.output)", to: "gateway.yaml")
            let checked = try await command.run(["gateway", "--config", "gateway.yaml", "--check-config"])
            #expect(checked.status == 0, "\(checked.text)")
            let other = try await LocalGateway(command, ["--config", "gateway.yaml"])
            #expect(try await other.call("GET", "/w/orders/api/devices/ab12").status == 200)
            let again = try await other.call("GET", "/w/orders/api/export?state=false").body
            let (before, after) = (try JSONText.object(exported.output), try JSONText.object(again))
            #expect(after as NSDictionary == before as NSDictionary)
            await other.process.stop()

            let whole = try await command.run(["world", "export", "orders"] + control)
            try command.write("worlds:\n- \(whole.output)", to: "gateway.yaml")
            let refused = try await command.run(["gateway", "--config", "gateway.yaml", "--check-config"])
            #expect(refused.status == 2)
            #expect(refused.errors.contains("worlds[0].state: a configuration file cannot have"), "\(refused.errors)")
            #expect(refused.errors.contains("--no-state"), "\(refused.errors)")
        }
    }

    @Test func `a world that is too large for an import is exported, with a note`() async throws {
        try await withCommand { command in
            let body = "[" + String(repeating: "1234567,", count: 9 << 20) + "0]"
            let gateway = try ReplyServer([ReplyServer.answer(200, body)])
            defer { gateway.stop() }
            let exported = try await command.run(["world", "export", "--control", "http://127.0.0.1:\(gateway.port)"])
            #expect(exported.status == 0, "\(exported.errors)")
            #expect(exported.output.utf8.count == body.utf8.count + 1)
            #expect(exported.errors.contains("a gateway imports at most 67108864 (64 MiB)"), "\(exported.errors)")
        }
    }

    @Test func `an export that is refused or not complete ends with the reason`() async throws {
        try await withCommand { command in
            let problem = #"{"title":"Unauthorized","detail":"the token is wrong"}"#
            let gateway = try ReplyServer([
                ReplyServer.answer(401, problem), ReplyServer.answer(200, "{}", length: 1000),
            ])
            defer { gateway.stop() }
            let control = ["--control", "http://127.0.0.1:\(gateway.port)"]
            let refused = try await command.run(["world", "export"] + control)
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.text)")
            #expect(refused.errors.contains("the token is wrong"), "\(refused.errors)")
            let broken = try await command.run(["world", "export"] + control)
            #expect(broken.status == 2, "\(broken.text)")
        }
    }
}
