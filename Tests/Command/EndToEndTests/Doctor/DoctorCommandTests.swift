import Foundation
import ProviderToken
import Testing

/// `apns doctor` as a process.
@Suite(.timeLimit(.minutes(10))) struct DoctorCommandTests {
    /// The objects of the lines, and the last one apart.
    private func objects(_ result: Command.Result) throws -> (checks: [[String: Any]], summary: [String: Any]) {
        let all = try result.lines.map { try JSONText.object($0) }
        return (Array(all.dropLast()), try #require(all.last))
    }

    private func state(_ check: String, in checks: [[String: Any]]) -> String? {
        checks.first { $0["check"] as? String == check }?["state"] as? String
    }

    @Test func `--json has a line of the contract for each check, in the order of the layers, and a summary`()
        async throws
    {
        try await withLocalGateway { gateway, command in
            let result = try await command.run(["doctor", "--gateway", "local", "--json"])
            #expect(result.status == 0, "\(result.text)")
            let (checks, summary) = try objects(result)
            for check in checks {
                #expect(Set(check.keys) == ["check", "layer", "state", "message", "next"])
                #expect(["pass", "warn", "fail", "skip"].contains(check["state"] as? String))
                #expect(check["next"] is String && (check["message"] as? String)?.isEmpty == false)
            }
            let layers = checks.compactMap { $0["layer"] as? String }
            var order: [String] = []
            for layer in layers where layer != order.last { order.append(layer) }
            #expect(order == ["key", "clock", "route", "tls", "identity", "topic", "device", "queue"])
            #expect(Set(summary.keys) == ["event", "pass", "warn", "fail", "skip"])
            #expect(summary["event"] as? String == "summary" && summary["fail"] as? Int == 0)
            let counted = ["pass", "warn", "fail", "skip"].compactMap { summary[$0] as? Int }.reduce(0, +)
            #expect(counted == checks.count)
            #expect(state("identity", in: checks) == "pass")
            #expect(try await gateway.total() == 1)
        }
    }

    @Test func `--token asks for topic and device, and a wrong team has status 1`() async throws {
        try await withLocalGateway(["--devices", "open"]) { gateway, command in
            let token = String(repeating: "ab", count: 32)
            let good = try await command.run(["doctor", "--gateway", "local", "--token", token, "--json"])
            #expect(good.status == 0, "\(good.text)")
            #expect(state("push-accepted", in: try objects(good).checks) == "pass")
            let wrong = try await command.run(
                ["doctor", "--gateway", "local", "--team-id", "WRONGTEAM1", "--token", token])
            #expect(wrong.status == 1)
            #expect(wrong.output.contains("FAIL  identity: ") && wrong.output.contains("next: "), "\(wrong.output)")
            for result in [good, wrong] {
                #expect(!result.text.contains(token), "a device token is shortened")
                #expect(!result.text.contains("eyJ"), "no provider token is shown")
            }
        }
    }

    @Test func `the provider token is kept in a private file of the user, and sent again`() async throws {
        try await withLocalGateway { _, command in
            let first = try await command.run(["doctor", "--gateway", "local"])
            let second = try await command.run(["doctor", "--gateway", "local"])
            #expect(first.output.contains("a provider token was signed"), "\(first.text)")
            #expect(second.output.contains("is used again"), "\(second.text)")
            let folder = try #require(command.places["XDG_STATE_HOME"]) + "/apns-toolkit/doctor"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 1)
            for (path, mode) in [(folder, 0o700), ("\(folder)/\(names.first ?? "")", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
            }
        }
    }

    @Test func `offline without credentials is status 1, and a key that was changed on its way is named`() async throws
    {
        try await withCommand { command in
            let none = try await command.run(["doctor", "--offline", "--json"])
            #expect(none.status == 1)
            #expect(state("credentials-given", in: try objects(none).checks) == "fail")

            let text = String(decoding: try SigningKey.generate().p8, as: UTF8.self)
            let odd = text.replacingOccurrences(of: "\n", with: "\\n")
            try command.write(odd, to: "AuthKey_ABC123DEFG.p8")
            // apns reads a changed file, and takes a variable for the path of one.
            for (environment, status) in [
                (["APNS_KEY": "AuthKey_ABC123DEFG.p8", "APNS_TEAM_ID": "DEF123GHIJ"], 0),
                (["APNS_KEY": odd, "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "DEF123GHIJ"], 1),
            ] as [([String: String], Int32)] {
                let result = try await command.run(["doctor", "--offline", "--json"], environment: environment)
                #expect(result.status == status, "\(result.text)")
                let checks = try objects(result).checks
                #expect(state("key-form", in: checks) == "warn" && state("key-kind", in: checks) == "pass")
                #expect(state("identity", in: checks) == "skip")
                let line = try #require(text.split(separator: "\n").dropFirst().first)
                #expect(!result.text.contains(line.prefix(16)), "nothing of the key is shown")
            }
        }
    }

    @Test func `bad arguments are 64, and what makes a run impossible is 2`() async throws {
        try await withCommand { command in
            for arguments in [
                ["--environment", "test"], ["--nothing"], ["--queue", "amqp://x"], ["--gateway", "ftp://x"],
                ["--date-url", "http://x"],
                ["--offline", "--date-url", "https://x"], ["--timeout", "0"], ["extra"],
            ] {
                let result = try await command.run(["doctor"] + arguments)
                #expect(result.status == 64, "\(arguments): \(result.text)")
            }
            for arguments in [["--gateway", "local"], ["--profile", "none"], ["--ca", "none.pem", "--offline"]] {
                let result = try await command.run(["doctor"] + arguments)
                #expect(result.status == 2, "\(arguments): \(result.text)")
                #expect(result.errors.hasPrefix("Error: "))
            }
        }
    }

    @Test
    func `a gateway that is not there fails the port, and the proxy of the environment is named when it cannot be`()
        async throws
    {
        try await withCommand { command in
            let closed = try await command.run(["doctor", "--gateway", "https://127.0.0.1:1", "--json"])
            #expect(state("port", in: try objects(closed).checks) == "fail")
            let proxied = try await command.run(
                ["doctor", "--gateway", "https://gateway.invalid", "--json"],
                environment: ["HTTPS_PROXY": "http://u:secret@:x"])
            #expect(state("proxy", in: try objects(proxied).checks) == "fail")
            #expect(!proxied.text.contains("secret"))
        }
    }
}
