import Foundation
import Testing

/// `apns send --template --recipients` and `--personalized` against a gateway process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TemplateSendTests {
    private static let template = """
        {
          "apns-push-type": "alert",
          "payload": {
            "aps": { "alert": { "title": "For you, {{name|you}}", "body": "{{items.0.title}}" } },
            "type": "PERSONALIZED",
            "personalization": { "points": ["landing_recs"], "context": { "anchorId": "{{items.0.id}}" } }
          }
        }
        """

    private static func recipient(_ number: Int, title: String = "Kettle") -> String {
        let token = String(format: "%08x", number)
        return #"{"token":"\#(token)","name":"P\#(number)","items":[{"id":"\#(number)","title":"\#(title)"}]}"# + "\n"
    }

    private static let arguments = ["send", "--template", "push.json", "--recipients", "people.ndjson"]

    @Test func `each recipient gets a payload, and the journal sends none twice`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(Self.template, to: "push.json")
            try command.write((0..<1500).map { Self.recipient($0) }.joined(), to: "people.ndjson")
            let arguments = Self.arguments + ["--json", "--journal", "sent.journal"] + gateway.options
            let first = try await command.run(arguments)
            #expect(first.status == 0 && first.lines.count == 1500, "\(first.errors)")
            #expect(try JSONText.object(first.lines[0])["line"] as? Int != nil)
            let entry = try #require(
                try await gateway.notifications().first { $0["token"] as? String == "00000007" })
            let payload = try #require(entry["payload"] as? [String: Any])
            let context = (payload["personalization"] as? [String: Any])?["context"] as? [String: Any]
            #expect(context?["anchorId"] as? String == "7")
            let alert = (payload["aps"] as? [String: Any])?["alert"] as? [String: Any]
            #expect(alert?["title"] as? String == "For you, P7")
            let again = try await command.run(arguments)
            #expect(again.status == 0 && again.lines.isEmpty, "\(again.text)")
            #expect(again.errors.contains("1500 had an outcome before"))
            try command.write(Self.template.replacingOccurrences(of: "For you", with: "Hi"), to: "push.json")
            let other = try await command.run(arguments)
            #expect(other.status == 2 && other.errors.contains("another batch"), "\(other.text)")
        }
    }

    @Test func `what does not fit is reported with file and line, and the others are sent`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(Self.template, to: "push.json")
            let long = Self.recipient(2, title: String(repeating: "x", count: 4000))
            try command.write(
                Self.recipient(1) + long + "{\"token\":\"ab12\"}\n" + Self.recipient(3), to: "people.ndjson")
            let text = try await command.run(Self.arguments + gateway.options)
            #expect(text.status == 1)
            #expect(text.errors.contains("people.ndjson:2: error: "), "\(text.errors)")
            #expect(text.errors.contains("[payload-too-large]"))
            #expect(text.errors.contains("the largest values: {{items.0.title}} with 4002"), "\(text.errors)")
            #expect(text.errors.contains("people.ndjson:3: there is no value for {{items.0.title}}"), "\(text.errors)")
            #expect(text.errors.contains("2 accepted, 0 refused, 1 unsent, 0 unknown; 1 bad line"), "\(text.errors)")
            #expect(try await gateway.total() == 2)
            let dry = try await command.run(Self.arguments + ["--dry-run", "--json"] + gateway.options)
            #expect(dry.status == 1 && dry.lines.count == 3, "\(dry.text)")
            #expect(dry.errors.contains("people.ndjson:2: error: "))
            #expect(try JSONText.object(dry.lines[0])["bytes"] as? Int ?? 0 > 100)
            #expect(try await gateway.total() == 2)
        }
    }

    @Test func `a fault in the template is reported with line and column, before anything is sent`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write("{\n  \"aps\": {\"alert\": \"Hi {{name\"}\n}", to: "push.json")
            try command.write(Self.recipient(1), to: "people.ndjson")
            let open = try await command.run(Self.arguments + gateway.options)
            #expect(open.status == 1 && open.errors.contains("push.json:2:24: a place begins here"), "\(open.errors)")
            let large = #"{"aps":{"alert":"{{name}}\#(String(repeating: "x", count: 4100))"}}"#
            try command.write(large, to: "push.json")
            let tooLarge = try await command.run(Self.arguments + gateway.options)
            #expect(tooLarge.status == 1 && tooLarge.errors.contains("at most 4096 can be sent"), "\(tooLarge.errors)")
            let alone = try await command.run(["send", "--template", "push.json"] + gateway.options)
            #expect(alone.status == 64 && alone.errors.contains("--template needs --recipients"))
            let both = try await command.run(Self.arguments + ["--alert", "Hi"] + gateway.options)
            #expect(both.status == 64 && both.errors.contains("leave out the other payload"))
            #expect(try await gateway.total() == 0)
        }
    }

    @Test func `--personalized sends the payload of the contract`() async throws {
        try await withLocalGateway { gateway, command in
            let sent = try await command.run(
                [
                    "send", "--token", "ab12", "--title", "New", "--personalized", "--point", "landing_recs",
                    "--context", "category=Kettles", "--link", "https://www.example.com/c/kettles",
                ] + gateway.options)
            #expect(sent.status == 0, "\(sent.text)")
            let payload = try await gateway.notifications().first?["payload"] as? [String: Any]
            #expect(payload?["type"] as? String == "PERSONALIZED")
            let personalization = payload?["personalization"] as? [String: Any]
            #expect(personalization?["points"] as? [String] == ["landing_recs"])
            #expect(personalization?["link"] as? String == "https://www.example.com/c/kettles")
        }
    }
}
