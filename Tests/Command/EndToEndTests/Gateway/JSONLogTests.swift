import Foundation
import Testing

/// `apns gateway --log-format json`: stderr has one JSON object a line, and nothing else.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JSONLogTests {
    private func lines(_ errors: String) throws -> [(level: String, message: String)] {
        try errors.split(separator: "\n").map { line in
            let object = try JSONText.object(line)
            #expect(object["time"] is String && object["label"] as? String == "apns.gateway", "\(line)")
            return (object["level"] as? String ?? "", object["message"] as? String ?? "")
        }
    }

    @Test func `warnings before the start, the log and the last note are JSON`() async throws {
        try await withCommand { command in
            let file = try command.write(
                "control-token: a-secret-of-16-or-more\nlog-format: json\n", to: "gateway.yaml")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            try command.write("{\"whole\":1}\n{\"half", to: "record.ndjson")
            let gateway = try command.start(
                [
                    "gateway", "--json", "--port", "0", "--control-port", "0", "--config", "gateway.yaml", "--record",
                    "record.ndjson",
                ],
                environment: [
                    "APNS_GATEWAY_PROT": "1", "XDG_RUNTIME_DIR": "/dev/null/x", "XDG_STATE_HOME": "/dev/null/y",
                ])
            try await gateway.line("ready")
            await gateway.stop()
            let errors = await gateway.errors.all()
            let lines = try lines(errors)
            for (level, part) in [
                ("warning", "APNS_GATEWAY_PROT is set"), ("warning", "gateway.yaml holds a control token"),
                ("notice", "record.ndjson"), ("warning", "no run file can be written"), ("info", "The gateway stopped"),
            ] {
                #expect(lines.contains { $0.level == level && $0.message.contains(part) }, "\(part): \(lines)")
            }
            #expect(lines.count == 5, "\(lines)")
        }
    }

    @Test(
        arguments: [
            (["--log-format", "json", "--credentials", "file"], [:], "file", 2),
            (["--config", "gateway.yaml"], [:], "gateway.yaml:2:7: port: \"x\"", 2),
            (["--log-format", "json", "--config", "none.yaml"], [:], "none.yaml cannot be read", 2),
            ([], ["APNS_GATEWAY_LOG_FORMAT": "json", "APNS_GATEWAY_PORT": "http"], "APNS_GATEWAY_PORT: ", 64),
            (["--log-format", "json", "--wait", "--wait-timeout", "0s", "--control-port", "1"], [:], "not ready: ", 1),
        ] as [([String], [String: String], String, Int32)])
    func `why a gateway does not start is JSON`(
        arguments: [String], environment: [String: String], says: String, status: Int32
    ) async throws {
        try await withCommand { command in
            try command.write("no folder", to: "file")
            try command.write("log-format: json\nport: x\nretain: 0\n", to: "gateway.yaml")
            let result = try await command.run(["gateway"] + arguments, environment: environment)
            let lines = try lines(result.errors)
            #expect(result.status == status && lines.count == 1, "\(result.text)")
            #expect(lines.first?.level == (status == 1 ? "info" : "error"))
            #expect(lines.first?.message.contains(says) == true, "\(result.errors)")
        }
    }

    @Test func `an option wins over the file`() async throws {
        try await withCommand { command in
            try command.write("log-format: json\n", to: "gateway.yaml")
            let check = ["gateway", "--config", "gateway.yaml", "--check-config"]
            let json = try await command.run(check)
            #expect(try lines(json.errors).map(\.message) == ["The configuration is valid."])
            let text = try await command.run(check + ["--log-format", "text"])
            #expect(text.errors == "The configuration is valid.\n")
        }
    }
}
