import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `--gateway local` in any folder, by the run file of a gateway.
@Suite(.timeLimit(.minutes(10))) struct RunFileCommandTests {
    private static let send = ["send", "--token", "ab12", "--alert", "Hi", "--gateway"]

    private static func files(_ command: Command) -> [String] {
        let folder = command.places["XDG_RUNTIME_DIR"].map { $0 + "/apns-toolkit" } ?? ""
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
    }

    private static func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }

    @Test func `the other commands find a gateway from any folder, and its end removes the private file`() async throws
    {
        try await withLocalGateway { gateway, command in
            let file = try #require(RunFileCommandTests.files(command).first)
            #expect(RunFileCommandTests.files(command).count == 1)
            #expect(try RunFileCommandTests.mode(file) == 0o600)
            #expect(try RunFileCommandTests.mode((file as NSString).deletingLastPathComponent) == 0o700)
            try command.write("", to: "else/where/x")
            for name in ["local", "local:\(gateway.port)"] {
                let sent = try await command.run(RunFileCommandTests.send + [name], in: "else/where")
                #expect(sent.status == 0 && sent.errors.contains("1 accepted"), "\(sent.text)")
            }
            let bench = try await command.run(
                ["bench", "--gateway", "local", "--count", "10", "--warm-up", "1"], in: "else/where")
            #expect(bench.status == 0, "\(bench.text)")
            let token = try await command.run(["token", "make", "--gateway", "local"], in: "else/where")
            #expect(token.status == 0, "\(token.text)")
            let checked = try await command.run(
                ["token", "check", "-", "--gateway", "local"], input: token.output, in: "else/where")
            #expect(checked.status == 0, "\(checked.text)")
            let org = try command.start(["org", "--gateway", "local", "--port", "0", "--json"])
            #expect(try await org.line("ready").contains(gateway["gateway"]))
            await org.stop()
            let device = try command.start(["device", "--json", "--token", "ab12", "--count", "1"])
            try await device.line("connected")
            #expect(try await command.run(RunFileCommandTests.send + ["local"]).status == 0)
            #expect(await device.status() == 0)
            await gateway.process.stop()
            #expect(RunFileCommandTests.files(command).isEmpty)
        }
    }

    @Test func `of two gateways the newest is used, and a port chooses`() async throws {
        try await withLocalGateway { first, command in
            let second = try await LocalGateway(command)
            let newest = try await command.run(RunFileCommandTests.send + ["local"])
            #expect(newest.status == 0)
            #expect(newest.errors.contains("2 gateways run") && newest.errors.contains("local:\(first.port)"))
            #expect(try await command.run(RunFileCommandTests.send + ["local:\(first.port)"]).status == 0)
            #expect(try await first.total() == 1)
            #expect(try await second.total() == 1)
            let none = try await command.run(RunFileCommandTests.send + ["local:1"])
            #expect(none.status == 2 && none.errors.contains("no gateway of yours runs on port 1"), "\(none.errors)")
            await second.process.stop()
        }
    }

    @Test func `a gateway that was killed is ignored with a sentence, once`() async throws {
        try await withLocalGateway { gateway, command in
            let killed = try await LocalGateway(command)
            killed.process.send(SIGKILL)
            await killed.process.status()
            #expect(RunFileCommandTests.files(command).count == 2)
            let sent = try await command.run(RunFileCommandTests.send + ["local"])
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(sent.errors.contains("\(killed["gateway"]) (process "), "\(sent.errors)")
            #expect(sent.errors.contains("did not end in order"))
            let again = try await command.run(RunFileCommandTests.send + ["local"])
            #expect(again.status == 0 && !again.errors.contains("did not end in order"))
            #expect(try await gateway.total() == 2)
        }
    }

    @Test func `without a gateway and without certs-dev both are named`() async throws {
        try await withCommand { command in
            let result = try await command.run(RunFileCommandTests.send + ["local"])
            #expect(result.status == 2)
            for part in [".runtime/apns-toolkit", "certs/dev/credentials.json", "port 8443", "apns gateway"] {
                #expect(result.errors.contains(part), "\(result.errors)")
            }
            let device = try await command.run(["device", "--control", "local:1"])
            #expect(device.status == 2 && device.errors.contains("port 1"), "\(device.errors)")
            let bad = try await command.run(["device", "--control", "local:x"])
            #expect(bad.status == 64 && bad.errors.contains("local:8443"), "\(bad.errors)")
        }
    }

    @Test func `certs-dev above the current folder is used, unless everybody may write there`() async throws {
        try await withCommand { command in
            #expect(try await command.run(["credentials", "--output", "open/certs/dev"]).status == 0)
            try command.write("", to: "open/project/file")
            let open = command.folder.appendingPathComponent("open").path
            for (mode, isUsed) in [(0o755, true), (0o1777, false)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: open)
                let result = try await command.run(RunFileCommandTests.send + ["local:1"], in: "open/project")
                #expect(result.status == 2 && result.errors.contains("127.0.0.1:1") == isUsed, "\(result.text)")
                #expect(result.errors.contains("for one on port 1") == !isUsed, "\(result.text)")
            }
        }
    }

    @Test func `a gateway without a place for its run file runs, and says what is missing`() async throws {
        try await withCommand { command in
            let start = ["gateway", "--json", "--port", "0", "--control-port", "0"]
            let places = ["XDG_RUNTIME_DIR": "/dev/null/x", "XDG_STATE_HOME": "/dev/null/y"]
            let gateway = try command.start(start, environment: places)
            try await gateway.line("ready")
            try await gateway.errorLine("no run file can be written")
            await gateway.stop()
        }
    }
}
