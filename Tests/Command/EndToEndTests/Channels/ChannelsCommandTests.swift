import Foundation
import Testing

/// `apns channels` and `apns send --channel` against a gateway process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChannelsCommandTests {
    private static let update = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#

    @Test func `a channel is created, read, sent to, listed and deleted`() async throws {
        try await withLocalGateway { gateway, command in
            // Channels have a port of their own, and that for senders takes the same requests.
            let channels = gateway.options.map { $0 == gateway["gateway"] ? gateway["channels"] : $0 }
            let created = try await command.run(["channels", "create", "--storage", "most-recent"] + channels)
            #expect(created.status == 0, "\(created.errors)")
            let id = created.output.trimmingCharacters(in: .newlines)
            #expect(Data(base64Encoded: id) != nil, "\(id)")

            let read = try await command.run(["channels", "read", id, "--json"] + gateway.options)
            #expect(
                read.output
                    == #"{"apns-channel-id":"\#(id)","message-storage-policy":1,"push-type":"LiveActivity"}"# + "\n")
            #expect(try await command.run(["channels", "list"] + gateway.options).lines == [Substring(id)])

            try command.write(Self.update, to: "update.json")
            let sent = try await command.run(
                ["send", "--channel", id, "--payload", "update.json", "--expiration", "1900000000"] + gateway.options)
            #expect(sent.status == 0, "\(sent.text)")
            #expect(sent.output.hasPrefix("✓ \(id) accepted  apns-request-id "))
            let json = try await command.run(
                ["send", "--channel", id, "--payload", "-", "--json"] + gateway.options, input: Self.update)
            let line = try JSONText.object(json.output)
            #expect(line["apns-channel-id"] as? String == id && line["outcome"] as? String == "accepted")
            let broadcasts = try await gateway.call("GET", "/api/notifications?request=broadcast")
            #expect(try JSONText.object(broadcasts.body)["total"] as? Int == 2)

            let deleted = try await command.run(["channels", "delete", id, "--json"] + gateway.options)
            #expect(deleted.status == 0 && deleted.output == #"{"apns-channel-id":"\#(id)"}"# + "\n")
            let list = try await command.run(["channels", "list", "--json"] + gateway.options)
            #expect(list.status == 0 && list.output.isEmpty)
        }
    }

    @Test func `what the gateway refuses is a result, with status 1 and what to do`() async throws {
        try await withLocalGateway { gateway, command in
            let id = "dHN0LXNyY2gtY2hubA=="
            let text = try await command.run(["channels", "read", id] + gateway.options)
            #expect(text.status == 1)
            #expect(text.output.hasPrefix("✗ \(id) refused   ChannelNotRegistered (400)\n    "), "\(text.text)")
            let json = try await command.run(["channels", "delete", id, "--json"] + gateway.options)
            let line = try JSONText.object(json.output)
            #expect(json.status == 1)
            #expect(Set(line.keys) == ["apns-channel-id", "apns-request-id", "status", "reason"])
            #expect(line["apns-channel-id"] as? String == id && line["status"] as? Int == 400)
            #expect(line["reason"] as? String == "ChannelNotRegistered")

            try command.write(Self.update, to: "update.json")
            let sent = try await command.run(
                ["send", "--channel", id, "--payload", "update.json"] + gateway.options)
            #expect(sent.status == 1 && sent.output.contains("ChannelNotRegistered (400)"), "\(sent.text)")
        }
    }

    @Test func `a payload that is no update of a Live Activity is not sent`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(#"{"aps":{"timestamp":1,"event":"start"}}"#, to: "start.json")
            try command.write(String(repeating: " ", count: 6000) + Self.update, to: "large.json")
            for file in ["start.json", "large.json"] {
                let result = try await command.run(
                    ["send", "--channel", "YQ==", "--payload", file] + gateway.options)
                #expect(result.status == 1 && result.errors.contains("Nothing was sent"), "\(file): \(result.text)")
            }
            #expect(try await gateway.total() == 0)
        }
    }

    @Test func `a gateway that is not there is status 2, and bad arguments are status 64`() async throws {
        try await withCommand { command in
            _ = try await command.run(["credentials", "--output", "dev"])
            let key = try FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/dev")
                .first { $0.hasPrefix("AuthKey_") }
            let result = try await command.run([
                "channels", "list", "--gateway", "https://127.0.0.1:1", "--key", "dev/\(key ?? "")", "--team-id",
                "TEAM123456", "--topic", "com.example.agent",
            ])
            #expect(result.status == 2 && result.errors.contains("127.0.0.1:1"), "\(result.text)")
            for (arguments, says) in [
                (["channels", "read", "no base64"], "must be a channel id"),
                (["channels", "create", "--storage", "all"], "storage"),
                (["send", "--channel", "a", "--payload", "x"], "is not base64"),
                (["send", "--channel", "YQ==", "--token", "ab", "--payload", "x"], "has no --token"),
                (["send", "--channel", "YQ==", "--alert", "Hi"], "give its payload"),
                (["send", "--channel", "YQ=="], "give its payload"),
                (["send", "--channel", "YQ==", "--payload", "x", "--push-type", "alert"], "liveactivity"),
            ] {
                let result = try await command.run(arguments)
                #expect(result.status == 64 && result.errors.contains(says), "\(arguments): \(result.text)")
            }
        }
    }
}
