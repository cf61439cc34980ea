import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct ValidateFixTests {
    private static let fixable = "{\n  \"aps\": {\"content-available\": true}\n}\n"
    private static let fixed = "{\n  \"aps\": {\"content-available\": 1}\n}\n"

    private func text(_ command: Command, _ name: String) throws -> String {
        try String(contentsOf: command.folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func `a diff shows the change and makes none; patch takes it`() async throws {
        try await withCommand { command in
            try command.write(ValidateFixTests.fixable, to: "a.json")
            let result = try await command.run(["validate", "--diff", "a.json"])
            #expect(result.status == 1)
            #expect(
                result.output == """
                    --- a/a.json
                    +++ b/a.json
                    @@ -1,3 +1,3 @@
                     {
                    -  "aps": {"content-available": true}
                    +  "aps": {"content-available": 1}
                     }

                    """)
            #expect(result.errors.contains("1 warning in 1 file; 1 can be fixed with --fix"))
            #expect(try text(command, "a.json") == ValidateFixTests.fixable)
            let none = try await command.run(["validate", "--diff", "-"], input: ValidateFixTests.fixed)
            #expect(none.status == 0 && none.output.isEmpty)
        }
    }

    @Test func `a diff of several files counts each of them, and obeys --fail-on`() async throws {
        try await withCommand { command in
            for name in ["p/a.json", "p/b.json"] { try command.write(ValidateFixTests.fixable, to: name) }
            try command.write(ValidateFixTests.fixed, to: "p/c.json")
            let result = try await command.run(["validate", "--diff", "p"])
            #expect(result.errors.contains("2 warnings in 2 files; 2 can be fixed"), "\(result.text)")
            // Nothing can be changed there, so the findings alone decide.
            try command.write(#"{"aps":{"badge":-1}}"#, to: "q/a.json")
            #expect(try await command.run(["validate", "--diff", "q"]).status == 0)
            #expect(try await command.run(["validate", "--diff", "--fail-on", "warning", "q"]).status == 1)
        }
    }

    @Test func `fixes are made in place with the mode kept, and once is enough`() async throws {
        try await withCommand { command in
            let file = try command.write(ValidateFixTests.fixable, to: "p/a.json")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            try FileManager.default.createSymbolicLink(
                atPath: command.folder.appendingPathComponent("link.json").path, withDestinationPath: "p/a.json")
            let result = try await command.run(["validate", "--fix", "link.json"])
            #expect(result.status == 0, "\(result.text)")
            #expect(result.output.contains("no findings; 1 fixed"))
            #expect(try text(command, "p/a.json") == ValidateFixTests.fixed)
            let facts = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(facts[.posixPermissions] as? Int == 0o640)
            let link = try FileManager.default.attributesOfItem(
                atPath: command.folder.appendingPathComponent("link.json").path)
            #expect(link[.type] as? FileAttributeType == .typeSymbolicLink)
            let again = try await command.run(["validate", "--fix", "--diff", "p"])
            #expect(again.status == 0 && again.output.isEmpty)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["a.json"]
            )
        }
    }

    @Test func `a stream is changed line by line, and all else in it stays`() async throws {
        try await withCommand { command in
            let line = #"{"aps":{"content-available":true}}"#
            let mended = #"{"aps":{"content-available":1}}"#
            let rest = "\r\n\n  \n{\"aps\":{}}\nnot json\n"
            try command.write(line + rest + line, to: "a.ndjson")
            let diff = try await command.run(["validate", "--diff", "a.ndjson"])
            #expect(diff.output.components(separatedBy: "+{").count == 3, "\(diff.output)")
            let result = try await command.run(["validate", "--fix", "a.ndjson"])
            #expect(result.status == 1)
            #expect(result.output.contains("a.ndjson:5:1: error"))
            #expect(result.output.contains("2 fixed"))
            #expect(try text(command, "a.ndjson") == mended + rest + mended)
            try command.write(diff.output, to: "a.patch")
            try command.write(line + rest + line, to: "a.ndjson")
            let patch = try await command.shell("command -v git >/dev/null || exit 77; git apply --check a.patch")
            #expect(patch.status == 0 || patch.status == 77, "\(patch.text)")
        }
    }

    @Test func `headers of an envelope are corrected, and those that have no single meaning stay`() async throws {
        try await withCommand { command in
            let rest = #""apns-topic":"com.*","payload":{"aps":{"alert":"Hi"}}}"#
            let wrong = #"{"apns-push-type":"Alert ","apns-priority":"10 ","# + rest
            let right = #"{"apns-push-type":"alert","apns-priority":"10","# + rest
            try command.write(wrong, to: "a.json")
            let found = try await command.run(["validate", "--format", "json", "a.json"])
            let fixable = found.lines.count { $0.contains(#""fixable":true"#) }
            #expect(fixable == 2, "\(found.text)")
            let result = try await command.run(["validate", "--fix", "a.json"])
            #expect(result.status == 1 && result.output.contains("1 error in 1 file; 2 fixed"), "\(result.text)")
            #expect(try text(command, "a.json") == right)
        }
    }

    @Test func `a line that is too long stays as it is`() async throws {
        try await withCommand { command in
            let long = #"{"aps":{"content-available":true},"x":""# + String(repeating: "x", count: 1_200_000) + "\"}\n"
            try command.write(long + ValidateFixTests.oneLine(true), to: "a.ndjson")
            let result = try await command.run(["validate", "--fix", "a.ndjson"])
            #expect(result.status == 2)
            #expect(result.errors.contains("a.ndjson:1: the line has more than 1048576 bytes and was skipped"))
            #expect(try text(command, "a.ndjson") == long + ValidateFixTests.oneLine(1))
        }
    }

    private static func oneLine(_ value: some CustomStringConvertible) -> String {
        "{\"aps\":{\"content-available\":\(value)}}\n"
    }

    @Test func `what is ignored is not changed`() async throws {
        try await withCommand { command in
            let text =
                #"{"apns-validate":{"ignore":["content-available-form"]},"payload":{"aps":{"content-available":true}}}"#
            try command.write(text, to: "a.json")
            #expect(try await command.run(["validate", "--fix", "a.json"]).status == 0)
            #expect(try self.text(command, "a.json") == text)
        }
    }

    @Test func `a file that is not regular is checked and not changed`() async throws {
        try await withCommand { command in
            let pipe = command.folder.appendingPathComponent("pipe.ndjson").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let line = ValidateFixTests.oneLine(true).dropLast()
            let result = try await command.shell(
                "echo '\(line)' > pipe.ndjson & apns validate --fix pipe.ndjson; s=$?; wait; exit $s")
            #expect(result.status == 2, "\(result.text)")
            #expect(
                result.errors.contains(
                    "pipe.ndjson cannot be written: it is not a regular file, and --fix changes only those"))
            #expect(result.output.contains("pipe.ndjson:1:29: warning"))
        }
    }

    @Test(.enabled(if: getuid() != 0, "root can write to every folder"))
    func `a folder that cannot be written to leaves its files as they are`() async throws {
        try await withCommand { command in
            let file = try command.write(ValidateFixTests.fixable, to: "p/a.json")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o555], ofItemAtPath: file.deletingLastPathComponent().path)
            let result = try await command.run(["validate", "--fix", "p"])
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: file.deletingLastPathComponent().path)
            #expect(result.status == 2 && result.errors.contains("p/a.json cannot be written: Permission denied"))
            #expect(try text(command, "p/a.json") == ValidateFixTests.fixable)
        }
    }

    @Test(arguments: [
        ["--fix", "-"], ["--fix", "a.json", "-"], ["--diff", "--format", "sarif", "a.json"], ["--watch", "-"],
        ["--watch", "--fix", "a.json"], ["--watch", "--output", "x", "a.json"], ["--diff", "--write-baseline", "x"],
        ["--fail-on", "never"], ["--stdin-filename", "x.json", "a.json"], ["-", "-"],
    ])
    func `what does not go together is refused`(arguments: [String]) async throws {
        try await withCommand { command in
            try command.write(ValidateFixTests.fixable, to: "a.json")
            let result = try await command.run(["validate"] + arguments, input: "{}")
            #expect(result.status == 64, "\(result.text)")
            #expect(result.errors.hasPrefix("Error: "))
            #expect(try text(command, "a.json") == ValidateFixTests.fixable)
        }
    }
}
