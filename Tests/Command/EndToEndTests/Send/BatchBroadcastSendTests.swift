import Foundation
import Testing

/// Broadcasts in `apns send --batch`, to a gateway process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BatchBroadcastSendTests {
    private static let payload = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#

    private static func batch(_ channel: String, count: Int) -> String {
        (0..<count).map { number in
            number.isMultiple(of: 3)
                ? #"{"apns-channel-id":"\#(channel)","payload":\#(payload)}"# + "\n"
                : #"{"token":"\#(String(format: "%08x", number))","payload":{"aps":{"alert":"Hi"}}}"# + "\n"
        }.joined()
    }

    private static func channel(_ gateway: LocalGateway, _ command: Command) async throws -> String {
        try await command.run(["channels", "create"] + gateway.options).output.trimmingCharacters(in: .newlines)
    }

    @Test func `channels and devices are sent to, each once, and the journal knows both`() async throws {
        try await withLocalGateway { gateway, command in
            let channel = try await Self.channel(gateway, command)
            try command.write(Self.batch(channel, count: 300), to: "batch.ndjson")
            let arguments =
                ["send", "--batch", "batch.ndjson", "--json", "--journal", "sent.journal"] + gateway.options
            let first = try await command.run(arguments)
            #expect(first.status == 0 && first.lines.count == 300, "\(first.errors)")
            let lines = try first.lines.map { try JSONText.object($0) }
            let broadcasts = lines.filter { $0["apns-channel-id"] as? String == channel }
            #expect(broadcasts.count == 100 && broadcasts.allSatisfy { $0["outcome"] as? String == "accepted" })
            #expect(Set(broadcasts.compactMap { $0["line"] as? Int }) == Set((0..<100).map { $0 * 3 + 1 }))
            #expect(Set(broadcasts.compactMap { $0["apns-request-id"] as? String }).count == 100)
            #expect(try await gateway.total("&request=broadcast") == 100)
            let again = try await command.run(arguments)
            #expect(again.status == 0 && again.lines.isEmpty, "\(again.text)")
            #expect(again.errors.contains("300 had an outcome before"))
            #expect(try await gateway.total("&request=broadcast") == 100)
        }
    }

    @Test func `a refused broadcast and a bad line leave the others alone`() async throws {
        try await withLocalGateway { gateway, command in
            let channel = try await Self.channel(gateway, command)
            let batch = """
                {"payload":\(Self.payload)}
                {"apns-channel-id":"dHN0LXNyY2gtY2hubA==","payload":\(Self.payload)}
                {"token":"ab12","apns-channel-id":"\(channel)","payload":\(Self.payload)}
                {"apns-channel-id":"\(channel)","payload":{"aps":{"event":"start"}}}
                {"token":"ab12","payload":{"aps":{"alert":"Hi"}}}
                """
            try command.write(batch, to: "batch.ndjson")
            let sent = try await command.run(
                ["send", "--batch", "batch.ndjson", "--channel", channel] + gateway.options)
            #expect(sent.status == 1)
            #expect(sent.output.contains("ChannelNotRegistered (400)"), "\(sent.text)")
            #expect(
                sent.errors.contains("batch.ndjson:3: there is a device token and apns-channel-id"), "\(sent.errors)")
            #expect(sent.errors.contains("batch.ndjson:4:"), "\(sent.errors)")
            #expect(sent.errors.contains("2 accepted, 1 refused, 1 unsent, 0 unknown; 1 bad line"), "\(sent.errors)")
            let dry = try await command.run(
                ["send", "--batch", "-", "--dry-run", "--json"] + gateway.options,
                input: #"{"apns-channel-id":"\#(channel)","payload":\#(Self.payload)}"# + "\n")
            #expect(dry.status == 0, "\(dry.text)")
            #expect(try JSONText.object(dry.output)["apns-channel-id"] as? String == channel)
            let reread = try await command.run(["send", "--batch", "-"] + gateway.options, input: dry.output)
            #expect(reread.status == 0, "\(reread.text)")
        }
    }

    @Test func `without a gateway broadcasts are unsent too, with status 2`() async throws {
        try await withLocalGateway { gateway, command in
            let channel = try await Self.channel(gateway, command)
            try command.write(Self.batch(channel, count: 9), to: "batch.ndjson")
            gateway.process.send(SIGTERM)
            await gateway.process.status()
            let sent = try await command.run(["send", "--batch", "batch.ndjson", "--json"] + gateway.options)
            #expect(sent.status == 2, "\(sent.text)")
            #expect(sent.lines.count == 9, "\(sent.text)")
            #expect(try sent.lines.allSatisfy { try JSONText.object($0)["outcome"] as? String == "unsent" })
        }
    }
}
