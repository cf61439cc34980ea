import Foundation
import Testing

/// What a report says about places, options and files that are no text.
@Suite(.timeLimit(.minutes(10))) struct ValidatePlacesTests {
    private static let bad = #"{"aps":"Hi"}"#
    private static let binary = Data([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1])

    @Test func `a binary file in a folder is a finding, and the other files are checked`() async throws {
        try await withCommand { command in
            try command.write(#"{"aps":{"alert":"Hi"}}"#, to: "p/a.json")
            try command.write(ValidatePlacesTests.binary, to: "p/b.json")
            try command.write(ValidatePlacesTests.bad, to: "p/c.json")
            try command.write(ValidatePlacesTests.binary, to: "p/d.ndjson")
            let result = try await command.run(["validate", "p"])
            #expect(result.status == 1, "\(result.text)")
            for file in ["b.json", "d.ndjson"] {
                #expect(
                    result.output.contains("p/\(file):1:1: error: it is a binary file, not JSON"), "\(result.output)")
            }
            #expect(result.output.contains("p/c.json:1:8: error:"))
            #expect(result.output.contains("2 notifications in 2 files checked: 3 errors in 3 files"))
            let alone = try await command.run(["validate", "--format", "json", "p/a.json", "p"])
            #expect(alone.lines.filter { $0.contains(#""rule":"binary-file""#) }.count == 2)
        }
    }

    @Test func `a file in a folder that cannot be read is a finding, and the other files are checked`() async throws {
        try await withCommand { command in
            try command.write(#"{"aps":{"alert":"Hi"}}"#, to: "p/a.json")
            try ValidatePlacesTests.link("p/b.json", in: command)
            try ValidatePlacesTests.link("p/c.ndjson", in: command)
            for more in [[], ["--fix"]] as [[String]] {
                let result = try await command.run(["validate", "p"] + more)
                #expect(result.status == 1 && result.errors.isEmpty, "\(result.text)")
                for file in ["b.json", "c.ndjson"] {
                    #expect(
                        result.output.contains("p/\(file):1:1: error: it cannot be read: the file, or the target of a"),
                        "\(result.output)")
                }
                #expect(result.output.contains("1 notification in 1 file checked: 2 errors in 2 files"))
            }
            // A diff shows no findings, so the reason is a message.
            let diff = try await command.run(["validate", "--diff", "p"])
            #expect(diff.status == 1 && diff.errors.contains("p/b.json cannot be read: No such file"), "\(diff.text)")
            let named = try await command.run(["validate", "p/a.json", "p/b.json"])
            #expect(
                named.status == 2 && named.errors.contains("p/b.json cannot be read: No such file"), "\(named.text)")
        }
    }

    @Test func `a zero byte in JSON is a fault at its place`() async throws {
        try await withCommand { command in
            for name in ["p/a.json", "p/b.ndjson"] {
                try command.write("{\"aps\":{\"alert\":\"a\0b\"}}", to: name)
                for path in [name, "p"] {
                    let result = try await command.run(["validate", path])
                    #expect(result.status == 1, "\(result.text)")
                    #expect(result.output.contains("\(name):1:19: error: the payload is not JSON:"), "\(result.output)")
                }
            }
        }
    }

    @Test func `a folder where nothing can be read is a failure`() async throws {
        try await withCommand { command in
            try command.write(ValidatePlacesTests.binary, to: "p/b.json")
            try ValidatePlacesTests.link("p/c.json", in: command)
            let result = try await command.run(["validate", "p"])
            #expect(result.status == 2, "\(result.text)")
            #expect(result.output.contains("p/b.json:1:1: error: it is a binary file"))
            #expect(result.output.contains("p/c.json:1:1: error: it cannot be read"))
        }
    }

    /// Makes a link without a target.
    private static func link(_ name: String, in command: Command) throws {
        try FileManager.default.createSymbolicLink(
            atPath: command.folder.appendingPathComponent(name).path, withDestinationPath: "nowhere")
    }

    @Test func `a byte order mark is removed by a fix, in files and streams`() async throws {
        try await withCommand { command in
            for name in ["a.json", "b.ndjson"] {
                let file = try command.write("\u{FEFF}" + #"{"aps":{"alert":"Hi","badge":"3"}}"# + "\n", to: name)
                let result = try await command.run(["validate", name])
                #expect(
                    result.status == 1
                        && result.output.contains("\(name):1:1: error: the text begins with a byte order"))
                #expect(result.output.contains("\(name):1:30: error: badge is"), "\(result.output)")
                let excerpt =
                    #"  {"aps":{"alert":"Hi","badge":"3"}}"# + "\n" + String(repeating: " ", count: 31) + "^^^\n"
                #expect(result.output.contains(excerpt), "\(result.output)")
                #expect(try await command.run(["validate", "--fix", name]).status == 0)
                #expect(try String(contentsOf: file, encoding: .utf8) == #"{"aps":{"alert":"Hi","badge":3}}"# + "\n")
            }
        }
    }

    @Test func `a byte order mark on a later line of a stream is what a fix removes`() async throws {
        try await withCommand { command in
            let line = #"{"aps":{"alert":"Hi","badge":"3"}}"# + "\n"
            let file = try command.write("\u{FEFF}\(line)\u{FEFF}\(line)", to: "a.ndjson")
            let result = try await command.run(["validate", "a.ndjson"])
            #expect(result.status == 1 && !result.output.contains("[payload-json]"), "\(result.output)")
            for number in 1...2 {
                #expect(result.output.contains("a.ndjson:\(number):1: error: the text begins with a byte order"))
                #expect(result.output.contains("a.ndjson:\(number):30: error: badge is"), "\(result.output)")
            }
            // The mark is found without the rule that it breaks as well.
            try command.write("rules: {payload-json: off}", to: "off.yaml")
            let config = ["validate", "--config", "off.yaml", "a.ndjson"]
            #expect(try await command.run(config).output.contains("a.ndjson:2:1: error: the text begins with a byte"))
            #expect(try await command.run(["validate", "--fix", "a.ndjson"]).status == 0)
            #expect(
                try String(contentsOf: file, encoding: .utf8)
                    == String(repeating: #"{"aps":{"alert":"Hi","badge":3}}"# + "\n", count: 2))
        }
    }

    @Test func `the offsets behind a byte order mark are those of the file`() async throws {
        try await withCommand { command in
            try command.write("\u{FEFF}" + #"{"aps":{"badge":"3"}}"#, to: "a.json")
            let result = try await command.run(["validate", "--format", "sarif", "a.json"])
            #expect(result.output.contains(#""byteOffset":19,"byteLength":3"#), "\(result.output)")
        }
    }

    @Test func `an unknown push type is refused, in options and files, unless new ones are allowed`() async throws {
        try await withCommand { command in
            try command.write(#"{"apns-push-type":"hologram","payload":{"aps":{"alert":"Hi"}}}"#, to: "a.json")
            let strict = try await command.run(["validate", "a.json"])
            #expect(strict.status == 1 && strict.output.contains("[push-type-unknown]"), "\(strict.text)")
            #expect(try await command.run(["validate", "--allow-new-push-types", "a.json"]).status == 0)
            let option = try await command.run(["validate", "--push-type", "backgroun", "a.json"])
            #expect(option.status == 64 && option.errors.contains("did you mean background?"), "\(option.text)")
            let new = try await command.run(["validate", "--push-type", "hologram", "--allow-new-push-types", "a.json"])
            #expect(new.status == 0, "\(new.text)")
            try command.write(#"{"apns-push-type":"Alert","payload":{"aps":{}}}"#, to: "b.json")
            let mistake = try await command.run(["validate", "--allow-new-push-types", "b.json"])
            #expect(mistake.status == 1 && mistake.output.contains("did you mean alert?"), "\(mistake.text)")
            try command.write("push-type: hologram", to: ".apns-validate.yaml")
            try command.write(#"{"aps":{"alert":"Hi"}}"#, to: "c.json")
            let configured = try await command.run(["validate", "--allow-new-push-types", "c.json"])
            #expect(configured.status == 0, "\(configured.text)")
        }
    }

    @Test(arguments: ["text", "json", "sarif", "junit", "github", "gitlab", "bitbucket"])
    func `a report of many files and lines is the same as that of each alone, in order`(form: String) async throws {
        try await withCommand { command in
            var names: [String] = []
            for number in 0..<200 {
                let name = String(format: "p/%03d.json", number)
                try command.write(
                    number.isMultiple(of: 3) ? #"{"aps":{"badge":"\#(number)"}}"# : #"{"aps":{"badge":1}}"#, to: name)
                names.append(name)
            }
            // More lines than one part has, each with its number.
            let lines = (1...30_000).map { line in
                line.isMultiple(of: 100) ? #"{"aps":{"badge":"\#(line)"}}"# : #"{"aps":{"badge":\#(line)}}"#
            }
            try command.write(lines.joined(separator: "\n"), to: "p/stream.ndjson")
            let together = try await command.run(["validate", "--format", form, "p"])
            #expect(together.status == 1)
            let input = lines.joined(separator: "\n")
            // Standard input is checked line by line.
            let single = try await command.run(
                ["validate", "--format", form, "--stdin-filename", "p/stream.ndjson"] + names + ["-"], input: input)
            #expect(together.output == single.output)
            if form == "text" {
                #expect(together.output.contains("30200 notifications in 201 files checked: 367 errors in 68 files"))
                #expect(together.output.contains("p/stream.ndjson:29900:17: error: badge is \"29900\""))
            }
        }
    }
}
