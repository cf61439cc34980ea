import Foundation
import Testing

/// `apns send` against a gateway process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SendToGatewayTests {
    private static let device = String(repeating: "0", count: 62) + "ab"

    private static func envelope(_ number: Int) -> String {
        #"{"token":"\#(String(format: "%064x", number))","payload":{"aps":{"alert":"Hi"}}}"# + "\n"
    }

    @Test func `an accepted notification has a line with the keys of the contract`() async throws {
        try await withLocalGateway { gateway, command in
            let result = try await command.run(
                ["send", "--token", SendToGatewayTests.device, "--alert", "Hi", "--json"] + gateway.options)
            #expect(result.status == 0, "\(result.errors)")
            let line = try JSONText.object(result.output)
            #expect(
                Set(line.keys) == [
                    "token", "apns-id", "apns-unique-id", "outcome", "status", "reason", "timestamp", "attempts",
                    "milliseconds",
                ])
            #expect(line["token"] as? String == SendToGatewayTests.device)
            #expect(line["outcome"] as? String == "accepted" && line["status"] as? Int == 200)
            #expect(line["reason"] is NSNull && line["timestamp"] is NSNull && line["attempts"] as? Int == 1)
            let life = try await gateway.call("GET", "/api/notifications/\(line["apns-unique-id"] ?? "")")
            #expect(life.status == 200)
            #expect(try JSONText.object(life.body)["apns-id"] as? String == line["apns-id"] as? String)
        }
    }

    @Test func `a refusal names the reason and what to do, and the status is 1`() async throws {
        try await withLocalGateway { gateway, command in
            let arguments = ["send", "--token", SendToGatewayTests.device, "--alert", "Hi"] + gateway.options
            let wrong = ["--topic", "com.example.other"]
            let result = try await command.run(arguments + wrong)
            #expect(result.status == 1)
            #expect(result.output.contains("TopicDisallowed (4"), "\(result.text)")
            #expect(result.output.contains("check --topic"))
            #expect(!result.text.contains("\u{1B}"))
            let json = try await command.run(arguments + wrong + ["--json"])
            #expect(try JSONText.object(json.output)["reason"] as? String == "TopicDisallowed")
        }
    }

    @Test func `an uninstalled app is refused with the time`() async throws {
        try await withLocalGateway { gateway, command in
            let arguments = ["send", "--token", SendToGatewayTests.device, "--alert", "Hi", "--json"]
            #expect(try await command.run(arguments + gateway.options).status == 0)
            #expect(try await gateway.call("DELETE", "/api/devices/\(SendToGatewayTests.device)").status == 204)
            let result = try await command.run(arguments + gateway.options)
            let line = try JSONText.object(result.output)
            #expect(line["status"] as? Int == 410 && line["reason"] as? String == "Unregistered")
            #expect((line["timestamp"] as? Int64 ?? 0) > 1_700_000_000_000)
        }
    }

    @Test func `a hint with 400 records is split, announced, and arrives whole`() async throws {
        try await withLocalGateway { gateway, command in
            let records = (0..<400).map { String(format: "0xI%012d", $0) }
            let result = try await command.run(
                ["send", "--token", SendToGatewayTests.device, "--hint", "INTERACTION"] + gateway.options
                    + ["--record"] + records)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("The 400 records are sent as "), "\(result.errors)")
            let sent = try await gateway.notifications()
            #expect(sent.count >= 2)
            let named = sent.flatMap { ($0["payload"] as? [String: Any])?["recordIds"] as? [String] ?? [] }
            #expect(named.count == 400 && Set(named).count == 400)
            #expect(sent.allSatisfy { $0["apns-push-type"] as? String == "background" })
            #expect(sent.allSatisfy { $0["apns-priority"] as? Int == 5 })
        }
    }

    @Test func `of a token file with bad lines the good ones are sent`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write("# mine\n0a1b\nnot hex\n\n0a1b2\n0c1d # last\n", to: "tokens.txt")
            let result = try await command.run(
                ["send", "--tokens", "tokens.txt", "--alert", "Hi"] + gateway.options)
            #expect(result.status == 1)
            #expect(result.errors.contains("tokens.txt:3: "), "\(result.errors)")
            #expect(result.errors.contains("tokens.txt:5: "))
            #expect(result.errors.contains("2 accepted, 0 refused, 0 unsent, 0 unknown; 2 bad lines"))
            #expect(try await gateway.total() == 2)
        }
    }

    @Test func `of a batch each line has one result, and the journal of the gateway has as many`() async throws {
        try await withLocalGateway(["--retain", "30000"]) { gateway, command in
            let count = 20_000
            try command.write((0..<count).map { SendToGatewayTests.envelope($0) }.joined(), to: "batch.ndjson")
            let result = try await command.run(
                ["send", "--batch", "batch.ndjson", "--connections", "4", "--json"] + gateway.options)
            #expect(result.status == 0, "\(result.errors.suffix(500))")
            #expect(result.errors.contains("\(count) accepted, 0 refused, 0 unsent, 0 unknown"))
            #expect(Set(result.lines.map { $0.prefix(75) }).count == count)
            #expect(result.lines.count == count)
            #expect(try await gateway.total("&outcome=accepted") == count)
            #expect(try await gateway.total() == count)
        }
    }

    @Test func `another team is refused, and the advice names what has to belong together`() async throws {
        try await withLocalGateway { gateway, command in
            let result = try await command.run(
                ["send", "--token", SendToGatewayTests.device, "--alert", "Hi"] + gateway.options
                    + ["--team-id", "WRONGTEAM1"])
            #expect(result.status == 1)
            #expect(result.output.contains("InvalidProviderToken (403)"), "\(result.text)")
            #expect(result.output.contains("key, key id and team id do not belong together"))
        }
    }

    @Test func `a gateway that another authority vouches for is not believed`() async throws {
        try await withLocalGateway { gateway, command in
            _ = try await command.run(["credentials", "--output", "other"])
            let result = try await command.run(
                ["send", "--token", SendToGatewayTests.device, "--alert", "Hi"] + gateway.options
                    + ["--ca", "other/ca.pem"])
            #expect(result.status == 2)
            #expect(result.errors.contains("--ca"), "\(result.errors)")
            #expect(result.errors.contains("0 accepted, 0 refused, 1 unsent, 0 unknown"))
            #expect(try await gateway.total() == 0)
        }
    }

    @Test func `where no gateway listens any more, the message says so`() async throws {
        try await withCommand { command in
            let gateway = try await LocalGateway.restartable(command)
            await gateway.process.stop()
            let result = try await command.run(
                ["send", "--token", SendToGatewayTests.device, "--alert", "Hi"] + gateway.options)
            #expect(result.status == 2)
            #expect(result.errors.contains("Start a gateway simulator there with: apns gateway --port \(gateway.port)"))
            #expect(result.errors.contains(gateway.port))
        }
    }

    @Test func `a reader that closes the pipe ends it without a message about that`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write((0..<3000).map { SendToGatewayTests.envelope($0) }.joined(), to: "batch.ndjson")
            let options = gateway.options.joined(separator: " ")
            let result = try await command.shell(
                "(apns send --batch batch.ndjson --json \(options); echo \"status $?\" >&2) | head -1")
            #expect(result.lines.count == 1)
            #expect(!result.errors.lowercased().contains("broken pipe"), "\(result.errors)")
            let closed = try await command.shell("apns send --token 0a1b --alert Hi \(options) <&- >&- 2>&-")
            #expect([0, 2].contains(closed.status))
        }
    }
}
