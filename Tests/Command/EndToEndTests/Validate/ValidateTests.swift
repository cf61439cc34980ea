import Foundation
import Testing

struct ValidateTests {
    private static let good = #"{"aps":{"alert":"Hi"}}"#
    private static let bad = #"{"aps":"Hi"}"#

    @Test func `a folder is searched in order, and a loop of links ends`() async throws {
        try await withCommand { command in
            try command.write(ValidateTests.bad, to: "payloads/b.json")
            try command.write(ValidateTests.bad, to: "payloads/a/deep.json")
            try command.write("\(ValidateTests.good)\n\n\(ValidateTests.bad)\n", to: "payloads/c.ndjson")
            try command.write("not looked at", to: "payloads/notes.txt")
            try FileManager.default.createSymbolicLink(
                atPath: command.folder.appendingPathComponent("payloads/a/loop").path, withDestinationPath: "..")
            let result = try await command.run(["validate"])
            #expect(result.status == 1)
            let heads = result.lines.filter { $0.hasPrefix("payloads/") }
            #expect(
                heads.map { $0.prefix { $0 != " " } } == [
                    "payloads/a/deep.json:1:8:", "payloads/b.json:1:8:", "payloads/c.ndjson:3:8:",
                ])
            #expect(result.lines.last == "4 notifications in 3 files checked: 3 errors in 3 files")
        }
    }

    @Test func `findings count from the severity that is asked for`() async throws {
        try await withCommand { command in
            // A bare value that devices take, but not the documented one.
            let warning = #"{"aps":{"content-available":true}}"#
            #expect(try await command.run(["validate", "-"], input: warning).status == 0)
            let strict = try await command.run(["validate", "-", "--fail-on", "note"], input: warning)
            #expect(strict.status == 1, "\(strict.text)")
            #expect(try await command.run(["validate", "-"], input: ValidateTests.bad).status == 1)
        }
    }

    @Test func `an unreadable file is named, and the rest is still checked`() async throws {
        try await withCommand { command in
            try command.write(ValidateTests.bad, to: "bad.json")
            try command.write(Data([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1]), to: "binary.json")
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
            let result = try await command.run(["validate", "none.json", "binary.json", "empty", "bad.json"])
            #expect(result.status == 2)
            #expect(result.errors.contains("none.json cannot be read: No such file"), "\(result.errors)")
            #expect(result.errors.contains("binary.json cannot be read: it is a binary file"))
            #expect(result.errors.contains("empty has no payload files"))
            #expect(result.output.contains("bad.json:1:8: error:"))
            #expect(try await command.run(["validate"]).errors.contains("there is no folder payloads"))
        }
    }

    @Test func `the json form has an object a finding with the keys of the contract`() async throws {
        try await withCommand { command in
            let result = try await command.run(
                ["validate", "-", "--stdin-filename", "x.ndjson", "--format", "json"],
                input: "\(ValidateTests.good)\n\(ValidateTests.bad)\n")
            #expect(result.status == 1)
            #expect(result.lines.count == 1)
            let line = try #require(result.lines.first)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(
                object?.keys.sorted() == [
                    "column", "file", "fixable", "layer", "line", "message", "pointer", "rule", "severity",
                ])
            #expect(object?["file"] as? String == "x.ndjson")
            #expect(object?["line"] as? Int == 2)
            #expect(result.errors.contains("2 notifications in 1 file checked: 1 error in 1 file"))
        }
    }

    @Test func `push type and topic of the options are the defaults`() async throws {
        try await withCommand { command in
            let alone = try await command.run(["validate", "-"], input: ValidateTests.good)
            #expect(alone.status == 0)
            let background = try await command.run(
                ["validate", "-", "--push-type", "background"], input: ValidateTests.good)
            #expect(background.status == 1)
            #expect(background.output.contains("[background-alert]"), "\(background.text)")
        }
    }

    @Test func `a report in a file is whole, and the one before stays where it cannot be written`() async throws {
        try await withCommand { command in
            try command.write(ValidateTests.bad, to: "bad.json")
            let file = try command.write("old", to: "report.txt")
            let result = try await command.run(["validate", "bad.json", "--output", "report.txt"])
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(
                try String(contentsOf: file, encoding: .utf8).hasSuffix(
                    "1 notification in 1 file checked: 1 error in 1 file\n"))
            let left = try FileManager.default.contentsOfDirectory(atPath: command.folder.path)
            #expect(!left.contains { $0.hasSuffix(".part") })
            let nowhere = try await command.run(["validate", "bad.json", "--output", "none/report.txt"])
            #expect(nowhere.status == 2)
            #expect(nowhere.errors.contains("none/report.txt cannot be written"))
        }
    }

    @Test func `a time is compared with the clock, or with the present that is named`() async throws {
        try await withCommand { command in
            let envelope = #"{"apns-push-type":"alert","apns-expiration":4102444800,"payload":{"aps":{"alert":"Hi"}}}"#
            func findings(_ arguments: [String]) async throws -> Int {
                let result = try await command.run(["validate", "-", "--format", "json"] + arguments, input: envelope)
                #expect(result.status == 0, "\(result.text)")
                return result.lines.filter { $0.contains(#""rule":"expiration-far""#) }.count
            }
            #expect(try await findings([]) == 1)
            #expect(try await findings(["--now", "2099-12-02T00:00:00Z"]) == 0)
            #expect(try await findings(["--now", "2099-12-01T23:59:59Z"]) == 1)
            #expect(try await findings(["--now", "4102444800"]) == 0)
            let wrong = try await command.run(["validate", "-", "--now", "tomorrow"], input: envelope)
            #expect(wrong.status == 64)
            #expect(wrong.errors.contains("it must be seconds since 1970-01-01 UTC"), "\(wrong.errors)")
        }
    }
}
