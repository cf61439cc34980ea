import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(10))) struct RecordTests {
    private static let batch = [
        #"{"token":"ab12","apns-push-type":"alert","payload":{"aps":{"alert":"Hello"}}}"#,
        #"{"token":"cd34","apns-push-type":"background","apns-priority":5,"payload":{"aps":{"content-available":1}}}"#,
        #"{"token":"ab12","apns-topic":"com.example.unknown","apns-push-type":"alert","payload":{"aps":{"alert":"x"}}}"#,
        #"{"token":"ab12","apns-push-type":"alert","payload":{"aps":{"alert":"  spaces  "}, "n" : 1}}"#,
    ]

    /// Runs `body` with a record of the batch, of an uninstalled device and of a body that is too large.
    private func withRecord(_ body: (Command, LocalGateway) async throws -> Void) async throws {
        try await withLocalGateway(["--record", "record.ndjson"]) { gateway, command in
            try command.write(RecordTests.batch.joined(separator: "\n") + "\n", to: "batch.ndjson")
            _ = try await command.run(["send", "--batch", "batch.ndjson", "--skip-validation"] + gateway.options)
            _ = try await gateway.call("DELETE", "/api/devices/cd34")
            _ = try await command.run(["send", "--token", "cd34", "--alert", "gone"] + gateway.options)
            try command.write(
                #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#, to: "large.json")
            _ = try await command.run(
                ["send", "--token", "ab12", "--payload", "large.json", "--skip-validation"] + gateway.options)
            await gateway.process.stop()
            try await body(command, gateway)
        }
    }

    private func lines(_ command: Command) throws -> [String] {
        try String(contentsOf: command.folder.appendingPathComponent("record.ndjson"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test func `a record has every notification with its verdict, for its owner alone`() async throws {
        try await withRecord { command, _ in
            let objects = try lines(command).map { try JSONText.object($0) }
            #expect(
                objects.map { $0["outcome"] as? String } == [
                    "accepted", "accepted", "refused", "accepted", "refused", "refused",
                ])
            #expect(
                objects.compactMap { $0["reason"] as? String } == [
                    "TopicDisallowed", "Unregistered", "PayloadTooLarge",
                ])
            let facts = try FileManager.default.attributesOfItem(
                atPath: command.folder.appendingPathComponent("record.ndjson").path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `what was accepted passes the validator`() async throws {
        try await withRecord { command, _ in
            try command.write(try lines(command).prefix(2).joined(separator: "\n") + "\n", to: "good.ndjson")
            let result = try await command.run(["validate", "good.ndjson"])
            #expect(result.status == 0, "\(result.text)")
        }
    }

    @Test func `judged again, nothing is different`() async throws {
        try await withRecord { command, _ in
            let result = try await command.run(["gateway", "--replay", "record.ndjson"])
            #expect(result.output == "")
            #expect(result.errors.contains("6 judged again: 6 the same, 0 different"), "\(result.text)")
            #expect(result.status == 0)
        }
    }

    @Test func `a record names the world of each line, and each is judged in its own`() async throws {
        try await withLocalGateway(["--record", "record.ndjson"]) { gateway, command in
            // The same device token is that of another app in the other world.
            for (world, topic) in [("default", "com.example.one"), ("orders", "com.example.two")] {
                let app = #"{"topic":"\#(topic)","team-id":"ABCDE12345"}"#
                _ = try await gateway.call("POST", "/w/\(world)/api/apps", app)
                let envelope = #"{"token":"ab12","apns-topic":"\#(topic)","payload":{"aps":{"alert":"Hello"}}}"#
                let sent = try await gateway.call("POST", "/w/\(world)/api/notifications", envelope)
                #expect(sent.status == 201 && sent.body.contains(#""outcome":"accepted""#), "\(sent.body)")
            }
            await gateway.process.stop()
            let objects = try lines(command).map { try JSONText.object($0) }
            #expect(objects.map { $0["world"] as? String } == ["default", "orders"])
            let result = try await command.run(["gateway", "--replay", "record.ndjson"])
            #expect(result.errors.contains("2 judged again: 2 the same, 0 different"), "\(result.text)")
        }
    }

    @Test func `a verdict that is not as recorded is told field by field`() async throws {
        try await withRecord { command, _ in
            var record = try lines(command)
            record[0] = record[0].replacingOccurrences(
                of: #""alert":"Hello""#, with: #""alert":"\#(String(repeating: "y", count: 30))""#
            )
            .replacingOccurrences(of: #""apns-priority":10"#, with: #""apns-priority":7"#)
            record[1] = record[1].replacingOccurrences(of: #""apns-priority":5"#, with: #""apns-priority":7"#)
            try command.write(record.joined(separator: "\n") + "\n", to: "changed.ndjson")
            let result = try await command.run(["gateway", "--replay", "changed.ndjson"])
            #expect(result.status == 1)
            #expect(
                result.output.contains("changed.ndjson:2: reason: recorded none, now BadPriority"), "\(result.text)")
            let json = try await command.run(["gateway", "--replay", "changed.ndjson", "--json"])
            let fields = try json.lines.map { try JSONText.object($0)["field"] as? String ?? "" }
            #expect(Set(fields).isSuperset(of: ["outcome", "status", "reason", "rule", "why"]))
        }
    }

    @Test func `a file that is no record is unreadable`() async throws {
        try await withCommand { command in
            try command.write("{\"aps\":{}}\nnothing\n", to: "other.ndjson")
            let result = try await command.run(["gateway", "--replay", "other.ndjson"])
            #expect(result.status == 2)
            #expect(result.errors.contains("other.ndjson:1:"))
            #expect(result.errors.contains("other.ndjson:2: it is not JSON"))
            #expect(try await command.run(["gateway", "--replay", "none.ndjson"]).status == 2)
        }
    }

    @Test func `sent again, what is answered otherwise is told`() async throws {
        try await withRecord { command, _ in
            let second = try await LocalGateway(command, [])
            let same = try await command.run(["send", "--batch", "record.ndjson", "--json"] + second.options)
            // The device that was uninstalled is a new one here.
            #expect(same.status == 1)
            #expect(
                same.errors.contains("record.ndjson:5: recorded refused 410 Unregistered, now accepted"),
                "\(same.errors)")
            #expect(same.errors.contains("1 of 6 answered otherwise than recorded"), "\(same.errors)")
            await second.process.stop()
        }
    }

    @Test func `half a line that a crash left is cut off, and a file of something else is left alone`() async throws {
        try await withCommand { command in
            try command.write("{\"whole\":1}\n{\"half", to: "record.ndjson")
            let gateway = try await LocalGateway(command, ["--record", "record.ndjson"])
            _ = try await command.run(["send", "--token", "ab12", "--alert", "Hello"] + gateway.options)
            await gateway.process.stop()
            let record = try lines(command)
            #expect(record.count == 2)
            #expect(record.first == "{\"whole\":1}")

            try command.write("my diary\nnot finished", to: "diary.txt")
            let refused = try await command.run(
                ["gateway", "--port", "0", "--control-port", "0", "--record", "diary.txt"])
            #expect(refused.status == 2)
            #expect(refused.errors.contains("diary.txt"))
            #expect(
                try String(contentsOf: command.folder.appendingPathComponent("diary.txt"), encoding: .utf8)
                    == "my diary\nnot finished")
        }
    }
}
