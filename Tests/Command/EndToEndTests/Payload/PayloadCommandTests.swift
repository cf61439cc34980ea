import Foundation
import Testing

/// `apns payload` as a process.
struct PayloadCommandTests {
    private static let types = [
        "alert", "background", "complication", "controls", "fileprovider", "liveactivity", "location", "mdm",
        "pushtotalk", "voip", "widgets",
    ]

    @Test(arguments: types) func `a new payload and its envelope pass the validator`(type: String) async throws {
        try await withCommand { command in
            let made = try await command.run(["payload", "new", "--type", type])
            #expect(made.status == 0 && !made.errors.isEmpty, "\(made.text)")
            try command.write(made.output, to: "push.json")
            let checked = try await command.run(["validate", "--push-type", type, "--fail-on", "note", "push.json"])
            #expect(checked.status == 0 && checked.output.contains("no findings"), "\(checked.text)")
            let envelope = try await command.run(["payload", "new", "--type", type, "--envelope", "--compact"])
            #expect(envelope.lines.count == 1)
            let read = try await command.run(
                ["validate", "--fail-on", "note", "--stdin-filename", "a.ndjson", "-"], input: envelope.output)
            #expect(read.status == 0 && read.output.contains("no findings"), "\(read.text)")
        }
    }

    @Test func `bad arguments of new are status 64`() async throws {
        try await withCommand { command in
            for (arguments, says) in [
                (["--type", "alrt"], "did you mean alert?"), (["--type", "alert", "--event", "end"], "liveactivity"),
                (["--type", "voip", "--topic", "com.example.a"], "--envelope"), ([], "--type"),
                (["--type", "voip", "--envelope", "--token", "xyz"], "--token"),
                (["--type", "alert", "--envelope", "--topic", ".com.x"], "begins with a dot"),
                (["--type", "alert", "--envelope", "--topic", "com.apple.mgmt.External.x"], "push type mdm only"),
            ] {
                let result = try await command.run(["payload", "new"] + arguments)
                #expect(result.status == 64 && result.errors.contains(says), "\(result.text)")
            }
        }
    }

    @Test func `a notification is explained, and a faulty one is status 1`() async throws {
        try await withCommand { command in
            try command.write(#"{"aps":{"content-available":1},"record":"7"}"#, to: "silent.json")
            let silent = try await command.run(["payload", "explain", "silent.json"])
            #expect(silent.status == 0 && silent.errors.isEmpty, "\(silent.text)")
            for part in [
                "silent.json: push type background (by its keys)", "\nAPNs\n", "\nDevice\n", "  - force-quit: ",
                "  - low power mode: ",
            ] { #expect(silent.output.contains(part), "\(part) in \(silent.output)") }
            let faulty = try await command.run(
                ["payload", "explain", "-", "--push-type", "alert", "--json"], input: #"{"aps":{"badge":"1"}}"#)
            #expect(faulty.status == 1, "\(faulty.text)")
            let object = try JSONText.object(faulty.output)
            #expect((object["findings"] as? [[String: Any]])?.first?["rule"] as? String == "aps-key-type")
            #expect((object["device"] as? [String: String])?["force-quit"] != nil)
            try command.write("{\"aps\":{}}\n{\"aps\":{\"alert\":\"Hi\"}}\n", to: "two.ndjson")
            let two = try await command.run(["payload", "explain", "two.ndjson", "--push-type", "alert"])
            #expect(two.output.contains("two.ndjson:2: push type alert"), "\(two.text)")
        }
    }

    @Test func `what cannot be explained is status 2, with its place`() async throws {
        try await withCommand { command in
            try command.write("{\n  \"aps\": {,}\n}", to: "bad.json")
            let bad = try await command.run(["payload", "explain", "bad.json"])
            #expect(bad.status == 2 && bad.errors.contains("bad.json:2:11: not JSON"), "\(bad.text)")
            let good = #"{"aps":{"alert":"Hi"}}"# + "\n"
            try command.write(good + "{,}\n" + #"{"aps":{"badge":"1"}}"# + "\n" + good, to: "some.ndjson")
            let some = try await command.run(["payload", "explain", "some.ndjson", "--push-type", "alert", "--json"])
            #expect(some.status == 2 && some.lines.count == 3, "\(some.text)")
            #expect(some.errors.contains("some.ndjson:2:2: not JSON"), "\(some.errors)")
            #expect(try await command.run(["payload", "explain", "none.json"]).status == 2)
            #expect(try await command.run(["payload", "explain", "bad.json", "--push-type", "x"]).status == 64)
        }
    }

    @Test func `a byte order mark is named, and what is behind it is explained and converted`() async throws {
        try await withCommand { command in
            let mark = "\u{FEFF}"
            try command.write(mark + #"{"aps":{"alert":"Hi"}}"# + "\n", to: "good.json")
            let good = try await command.run(["payload", "explain", "good.json"])
            #expect(good.status == 1 && good.output.contains("\nDevice\n"), "\(good.text)")
            #expect(good.output.contains("[byte-order-mark]"), "\(good.output)")
            try command.write(mark + "{\n  \"aps\": {,}\n}", to: "bad.json")
            let bad = try await command.run(["payload", "explain", "bad.json"])
            #expect(bad.status == 2 && bad.errors.contains("bad.json:2:11: not JSON"), "\(bad.text)")
            #expect(
                bad.errors.hasPrefix("bad.json:1:1: error: the text begins with a byte order mark"), "\(bad.errors)")
            try command.write(mark + #"{"to":"ExponentPushToken[x]","body":"Hi"}"# + "\n{,}\n", to: "two.jsonl")
            let two = try await command.run(["payload", "convert", "two.jsonl"])
            #expect(two.status == 2 && two.lines.count == 1, "\(two.text)")
            #expect(two.errors.hasPrefix("two.jsonl:1:1: lost: the body: the byte order mark"), "\(two.errors)")
            #expect(two.errors.contains("two.jsonl:2:2: "), "\(two.errors)")
            try command.write(mark + #"{"to":{,}}"#, to: "none.json")
            let none = try await command.run(["payload", "convert", "none.json"])
            #expect(none.status == 2 && none.errors.contains("none.json:1:8: "), "\(none.text)")
        }
    }

    @Test func `bodies of other services become envelopes, and what is lost is said with its place`() async throws {
        try await withCommand { command in
            try command.write(
                "{\"message\": {\n  \"token\": \"d0x:APA91bHun4\",\n  \"notification\": {\"title\": \"A\"}}}",
                to: "f.json")
            let made = try await command.run(["payload", "convert", "f.json", "--topic", "com.example.agent"])
            #expect(made.status == 0, "\(made.text)")
            #expect(
                made.output
                    == #"{"apns-topic":"com.example.agent","apns-push-type":"alert","payload":{"aps":{"alert":{"title":"A"}}}}"#
                    + "\n")
            #expect(made.errors.hasPrefix("f.json:2:12: lost: /message/token: "), "\(made.errors)")
            let checked = try await command.run(
                ["validate", "--fail-on", "note", "--stdin-filename", "a.ndjson", "-"], input: made.output)
            #expect(checked.status == 0, "\(checked.text)")
            let expo = try await command.run(
                ["payload", "convert", "-"], input: #"[{"to":"ExponentPushToken[x]","body":"Hi"}]"#)
            #expect(expo.status == 0 && expo.output.contains(#""alert":{"body":"Hi"}"#), "\(expo.text)")
        }
    }

    @Test func `an envelope with an error is status 1, and a body that is none status 2`() async throws {
        try await withCommand { command in
            let wrong = try await command.run(
                ["payload", "convert", "-"], input: #"{"to":"ExponentPushToken[x]","body":"Hi","badge":"1"}"#)
            #expect(
                wrong.status == 1 && wrong.errors.contains("[aps-key-type]") && !wrong.output.isEmpty, "\(wrong.text)")
            let none = try await command.run(["payload", "convert", "-"], input: #"{"aps":{}}"#)
            #expect(none.status == 2 && none.errors.contains("standard input:1:1: "), "\(none.text)")
            try command.write("{\"to\":\"x\",\"title\":\"A\"}\nnonsense\n", to: "two.jsonl")
            let two = try await command.run(["payload", "convert", "two.jsonl"])
            #expect(two.status == 2 && two.lines.count == 1 && two.errors.contains("two.jsonl:2:1: "), "\(two.text)")
        }
    }
}
