import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bad input: a clear message, the exit status of the contract, and all other files are still checked.
@Suite(.timeLimit(.minutes(10))) struct ValidateBadInputTests {
    private static let bad = #"{"aps":"Hi"}"#

    private func expect(
        _ message: String, _ paths: [String], _ command: Command, location: SourceLocation = #_sourceLocation
    ) async throws {
        try command.write(ValidateBadInputTests.bad, to: "last/bad.json")
        let result = try await command.run(["validate"] + paths + ["last"])
        #expect(result.status == 2, "\(result.text)", sourceLocation: location)
        #expect(result.errors.contains(message), "\(result.errors)", sourceLocation: location)
        #expect(result.output.contains("last/bad.json:1:8: error:"), "\(result.output)", sourceLocation: location)
        #expect(result.output.utf8.count + result.errors.utf8.count < 4000, sourceLocation: location)
    }

    @Test func `a file of a gibibyte is refused without reading it all`() async throws {
        try await withCommand { command in
            try command.write("", to: "huge.json")
            try FileHandle(forWritingTo: command.folder.appendingPathComponent("huge.json")).truncate(atOffset: 1 << 30)
            try await expect("huge.json cannot be read: it has more than 16777216 bytes", ["huge.json"], command)
        }
    }

    @Test func `a line of a hundred mebibytes is skipped, and the lines around it are checked`() async throws {
        try await withCommand { command in
            let file = try command.write("{\"aps\":1}\n\"", to: "long.ndjson")
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            let piece = Data(repeating: 0x78, count: 1 << 20)
            for _ in 0..<100 { try handle.write(contentsOf: piece) }
            try handle.write(contentsOf: Data("\"\n{\"aps\":2}\n".utf8))
            try handle.close()
            try await expect(
                "long.ndjson:2: the line has more than 1048576 bytes and was skipped", ["long.ndjson"], command)
            let result = try await command.run(["validate", "long.ndjson"])
            #expect(
                result.output.contains("long.ndjson:1:8: error") && result.output.contains("long.ndjson:3:8: error"))
            let fixed = try await command.run(["validate", "--fix", "long.ndjson"])
            #expect(fixed.status == 2)
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            #expect(size == 100 << 20 + 23)
        }
    }

    @Test func `binary files are distinguished from text, also in streams`() async throws {
        try await withCommand { command in
            let binary = Data([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1] + [UInt8](repeating: 0, count: 5000))
            try command.write(binary, to: "a.json")
            try command.write(binary, to: "b.ndjson")
            try await expect("a.json cannot be read: it is a binary file, not JSON", ["a.json"], command)
            try await expect("b.ndjson cannot be read: it is a binary file, not JSON", ["b.ndjson"], command)
        }
    }

    @Test func `cyclic links, broken links and pipes in folders do not block`() async throws {
        try await withCommand { command in
            try command.write("{}", to: "p/a.json")
            let folder = command.folder.appendingPathComponent("p")
            for (name, target) in [("loop", "."), ("x.json", "y.json"), ("y.json", "x.json"), ("z.json", "nowhere")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
            }
            #expect(mkfifo(folder.appendingPathComponent("pipe.json").path, 0o600) == 0)
            try command.write(ValidateBadInputTests.bad, to: "last/bad.json")
            let result = try await command.run(["validate", "p", "last"])
            #expect(result.status == 1, "\(result.text)")
            let place = "1:1: error: it cannot be read:"
            for (file, reason) in [
                ("x.json", "Too many levels of symbolic links"), ("y.json", "Too many levels of symbolic links"),
                ("z.json", "the file, or the target of a link, does not exist"),
            ] {
                #expect(result.output.contains("p/\(file):\(place) \(reason) [unreadable-file]\n"), "\(result.output)")
            }
            #expect(result.output.contains("last/bad.json:1:8: error:"))
            #expect(result.output.contains("2 notifications in 2 files checked: 4 errors"), "\(result.output)")
        }
    }

    @Test(.enabled(if: getuid() != 0, "root can read every file"))
    func `what may not be read is named`() async throws {
        try await withCommand { command in
            let file = try command.write("{}", to: "secret.json")
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
            try await expect("secret.json cannot be read: Permission denied", ["secret.json"], command)
        }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: ["text", "json", "sarif", "junit", "github", "gitlab", "bitbucket"])
    func `a full disk is reported, for a report in a file and on standard output`(form: String) async throws {
        try await withCommand { command in
            try command.write(ValidateBadInputTests.bad, to: "a.json")
            let file = try await command.run(["validate", "--format", form, "--output", "/dev/full", "a.json"])
            #expect(file.status == 2)
            #expect(file.errors.contains("/dev/full cannot be written: No space left on device"), "\(file.errors)")
            let output = try await command.shell("apns validate --format \(form) a.json >/dev/full")
            #expect(output.status == 2)
            #expect(output.errors.contains("No space left on device"), "\(output.errors)")
        }
    }

    @Test func `a folder without payloads is no success`() async throws {
        try await withCommand { command in
            try command.write("x", to: "empty/readme.md")
            try await expect("empty has no payload files, which end with *.json, *.apns", ["empty"], command)
        }
    }

    @Test func `a path that does not exist is a failure, and no success is claimed`() async throws {
        try await withCommand { command in
            let result = try await command.run(["validate", "nowhere.json", "nowhere"])
            #expect(result.status == 2)
            #expect(result.output == "nothing was checked: 2 failures\n")
            #expect(result.errors.contains("nowhere.json cannot be read: No such file"), "\(result.errors)")
        }
    }

    @Test func `the status shows an end by Ctrl-C`() async throws {
        try await withCommand { command in
            let running = try command.start(
                ["validate", "--format", "sarif", "--stdin-filename", "x.ndjson", "-"], hasInput: true)
            running.feed(String(repeating: "{\"aps\":1}\n", count: 1000))
            try await running.line("$schema")
            running.send(SIGINT)
            #expect(await running.status() == 2)
            let report = await running.output.all()
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(report.utf8)) }
            #expect(await running.errors.all().contains("stopped before everything was checked"))
        }
    }
}
