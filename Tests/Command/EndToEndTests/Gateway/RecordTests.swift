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

    @Test func `a verdict that differs from the record is reported field by field`() async throws {
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

    @Test func `a recorded notification that gets another answer is reported`() async throws {
        try await withRecord { command, _ in
            let second = try await LocalGateway(command, [])
            let same = try await command.run(["send", "--batch", "record.ndjson", "--json"] + second.options)
            // The device that was uninstalled is a new one here.
            #expect(same.status == 1)
            let results = try same.lines.map { try JSONText.object($0) }
            let different = results.filter { $0["differs"] as? Bool == true }
            #expect(different.count == 1 && results.count == 6, "\(same.output)")
            let before = try #require(different.first?["recorded"] as? [String: Any])
            #expect(before["place"] as? String == "record.ndjson:5" && before["reason"] as? String == "Unregistered")
            #expect(different.first?["outcome"] as? String == "accepted")
            #expect(!same.errors.contains("now accepted"), "\(same.errors)")
            #expect(same.errors.contains("1 of 6 had another answer than recorded"), "\(same.errors)")
            let text = try await command.run(["send", "--batch", "record.ndjson"] + second.options)
            #expect(
                text.errors.contains("record.ndjson:5: recorded refused 410 Unregistered, now accepted"),
                "\(text.errors)")
            await second.process.stop()
        }
    }

    @Test func `a gateway gives the answers of a record again, from the first on after a reset and an import`()
        async throws
    {
        try await withRecord { command, _ in
            let stub = try await LocalGateway(command, ["--answers", "record.ndjson"])
            let file = try await stub.call("GET", "/api/export").body
            #expect(!file.contains("PayloadTooLarge") && !file.contains("answers"))
            let beginnings: [(path: String, body: String?)] = [
                ("/api/reset", nil), ("/api/import", file), ("/api/reset", nil),
            ]
            for beginning in beginnings {
                let sent = try await command.run(["send", "--batch", "record.ndjson", "--json"] + stub.options)
                #expect(sent.errors.contains("0 of 6 had another answer than recorded"), "\(sent.text)")
                #expect(sent.output.contains("Unregistered") && sent.status == 0, "\(sent.text)")
                let rules = try await stub.notifications().map { $0["rule"] as? String }
                #expect(rules == Array(repeating: "recorded", count: 6))
                let begun = try await stub.call("POST", beginning.path, beginning.body)
                #expect((200...204).contains(begun.status), "\(begun.body)")
            }
            await stub.process.stop()
        }
    }

    @Test func `a configuration file names a record that is longer than a configuration`() async throws {
        try await withRecord { command, _ in
            let long = try lines(command)[0]
                .replacingOccurrences(of: "Hello", with: String(repeating: "x", count: 2 << 20))
            try command.write(long + "\n" + lines(command).joined(separator: "\n"), to: "long.ndjson")
            try command.write("answers: long.ndjson\n", to: "gateway.yaml")
            let checked = try await command.run(["gateway", "--config", "gateway.yaml", "--check-config"])
            #expect(checked.status == 0, "\(checked.text)")
        }
    }

    @Test func `what is malformed is recorded and sent again as it was`() async throws {
        try await withLocalGateway(["--record", "record.ndjson"]) { gateway, command in
            let topic = gateway["topic"]
            func post(_ rest: String) async throws {
                let sent = try await gateway.call("POST", "/api/notifications", #"{"apns-topic":"\#(topic)",\#(rest)}"#)
                #expect(sent.status == 201, "\(sent.body)")
            }
            let payload = #""payload":{"aps":{"alert":"Hello"}}"#
            func base64(_ text: String) -> String { #""payload-base64":"\#(Data(text.utf8).base64EncodedString())""# }
            try await post(#""token":"ab12","apns-push-type":"alert","apns-priority":3,\#(payload)"#)
            try await post(#""apns-push-type":"alert",\#(payload)"#)
            try await post(#""token":"xyz","apns-push-type":"alert",\#(payload)"#)
            try await post(#""token":"ab12","apns-push-type":"alert","apns-expiration":-5,\#(payload)"#)
            try await post(
                #""token":"ab12","apns-push-type":"alert","apns-collapse-id":"\#(String(repeating: "c", count: 70))",\#(payload)"#
            )
            // What no priority means is not settled; it stays none.
            try await post(
                #""token":"ab12","apns-push-type":"background","payload":{"aps":{"content-available":1}}"#)
            try await post(
                #""token":"ab12","apns-push-type":"alert",\#(base64(#"{"aps":{"alert":"x"}\#(String(repeating: " ", count: 4090))}"#))"#
            )
            try await post(#""token":"ab12","apns-push-type":"alert",\#(base64("no JSON"))"#)
            await gateway.process.stop()
            let record = try lines(command)
            let objects = try record.map { try JSONText.object($0) }
            #expect(
                objects.map { $0["reason"] as? String ?? "accepted" } == [
                    "BadPriority", "MissingDeviceToken", "BadDeviceToken", "BadExpirationDate", "BadCollapseId",
                    "accepted", "PayloadTooLarge", "accepted",
                ])
            // JSON with white space is recorded twice: as a value, and as the bytes that were sent.
            #expect(objects[6]["payload"] is [String: Any] && objects[6]["payload-base64"] is String)
            #expect(objects[0]["payload-base64"] == nil)

            let judged = try await command.run(["gateway", "--replay", "record.ndjson"])
            #expect(judged.status == 0 && judged.errors.contains("8 judged again: 8 the same"), "\(judged.text)")
            let second = try await LocalGateway(command, [])
            // Options supply nothing that a recorded line does not have.
            let again = try await command.run(
                ["send", "--batch", "record.ndjson", "--json", "--priority", "5", "--token", "ab12"] + second.options)
            #expect(again.errors.contains("0 of 8 had another answer than recorded"), "\(again.text)")
            #expect(again.status == 0, "\(again.text)")
            #expect(try again.lines.allSatisfy { try JSONText.object($0)["differs"] as? Bool == false })
            await second.process.stop()
        }
    }

    @Test func `a recorded line that cannot be sent is unsent, and the others are sent`() async throws {
        try await withLocalGateway { gateway, command in
            let facts = #""payload-bytes":10,"received":"x","verified":true,"outcome":"refused","status":400"#
            let good = #"{"token":"ab12","payload":{"aps":{}},"received":"x","verified":true,"outcome":"accepted"}"#
            try command.write(
                """
                {"token":"ab12","apns-priority":"high","payload":{},\(facts),"reason":"BadPriority"}
                {"apns-channel-id":"dHN0LXNyY2gtY2hubA==","payload":{},\(facts),"reason":"BadChannelId"}
                \(good)

                """, to: "record.ndjson")
            let sent = try await command.run(["send", "--batch", "record.ndjson", "--json"] + gateway.options)
            let results = try sent.lines.map { try JSONText.object($0) }
            #expect(Set(results.compactMap { $0["outcome"] as? String }) == ["unsent", "refused"], "\(sent.text)")
            #expect(results.filter { $0["outcome"] as? String == "unsent" }.count == 2)
            #expect(
                sent.errors.contains(
                    "record.ndjson:1: it cannot be sent as recorded: its apns-priority is not a number"))
            #expect(sent.errors.contains("record.ndjson:2: it cannot be sent as recorded: it is a broadcast"))
            // Without a topic, as it was recorded, whatever --topic says.
            #expect(results.contains { $0["reason"] as? String == "MissingTopic" }, "\(sent.text)")
            #expect(sent.status == 1)
        }
    }

    @Test func `an envelope may have its payload byte for byte`() async throws {
        try await withLocalGateway { gateway, command in
            let bytes = #"{"aps": {"alert": "Hello"}}"#
            try command.write(
                """
                {"token":"ab12","apns-push-type":"alert","payload-base64":"\(Data(bytes.utf8).base64EncodedString())"}
                {"token":"ab12","apns-push-type":"alert","payload-base64":"***"}

                """, to: "batch.ndjson")
            let sent = try await command.run(["send", "--batch", "batch.ndjson"] + gateway.options)
            #expect(sent.errors.contains("1 accepted") && sent.errors.contains("1 bad line"), "\(sent.text)")
            #expect(sent.errors.contains("batch.ndjson:2: this is not an envelope"))
            let kept = try #require(try await gateway.notifications().first)
            #expect(kept["payload-bytes"] as? Int == bytes.utf8.count)
        }
    }

    @Test func `a record is judged under the configuration, world by world`() async throws {
        let options = ["--contested", "background-priority-10=accept", "--contested", "malformed-json=refuse"]
        let file = """
            port: 0
            control-port: 0
            json: true
            store: kept.sqlite
            worlds: [{name: orders, contested: {malformed-json: accept}}]

            """
        try await withCommand { command in
            try command.write(file, to: "gateway.yaml")
            let gateway = try await LocalGateway(
                command, ["--config", "gateway.yaml", "--record", "record.ndjson"] + options)
            let topic = gateway["topic"]
            for (world, rest) in [
                (
                    "default",
                    #""apns-push-type":"background","apns-priority":10,"payload":{"aps":{"content-available":1}}"#
                ),
                ("default", #""apns-push-type":"alert","payload-base64":"eHg=""#),
                ("orders", #""apns-push-type":"alert","payload-base64":"eHg=""#),
            ] {
                _ = try await gateway.call(
                    "POST", "/w/\(world)/api/notifications", #"{"token":"ab12","apns-topic":"\#(topic)",\#(rest)}"#)
            }
            await gateway.process.stop()
            let outcomes = try lines(command).map { try JSONText.object($0)["outcome"] as? String }
            #expect(outcomes == ["accepted", "refused", "accepted"])

            let replay = ["gateway", "--replay", "record.ndjson"]
            let same = try await command.run(replay + ["--config", "gateway.yaml"] + options)
            #expect(same.status == 0 && same.errors.contains("3 judged again: 3 the same"), "\(same.text)")
            let other = try await command.run(replay)
            #expect(other.status == 1)
            #expect(other.output.contains("record.ndjson:1: outcome: recorded accepted, now refused"), "\(other.text)")
            #expect(other.output.contains("record.ndjson:2: outcome: recorded refused, now accepted"), "\(other.text)")
            let none = try await command.run(replay + ["--config", "none.yaml"])
            #expect(none.status == 2 && none.errors.contains("none.yaml cannot be read"), "\(none.text)")
        }
    }

    @Test(arguments: [
        ["--port", "0"], ["--store", "s.sqlite"], ["--record", "r.ndjson"], ["--clock", "manual"], ["--verbose"],
        ["--webhook", "http://127.0.0.1:9/x"], ["--credentials", "own"], ["--check-config"],
    ])
    func `what is about a running gateway is refused beside a replay`(option: [String]) async throws {
        try await withCommand { command in
            let refused = try await command.run(["gateway", "--replay", "record.ndjson"] + option)
            #expect(refused.status == 64 && refused.errors.contains("does not take \(option[0])"), "\(refused.text)")
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
