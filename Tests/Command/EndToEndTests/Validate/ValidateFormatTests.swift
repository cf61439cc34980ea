import Foundation
import Testing

/// The forms of the report under the real command; what is in them is tested where they are made.
struct ValidateFormatTests {
    private func files(_ command: Command) throws {
        try command.write(#"{"aps":"Hi"}"#, to: "payloads/bad.json")
        try command.write("{\"aps\":{\"badge\":1}}\n{\"aps\":1}\n", to: "payloads/many.ndjson")
    }

    @Test(arguments: ["text", "json", "sarif", "junit", "github", "gitlab", "bitbucket"])
    func `every form has the findings, the same status, and its count on stderr or at the end`(form: String)
        async throws
    {
        try await withCommand { command in
            try files(command)
            let result = try await command.run(["validate", "--format", form, "payloads", "gone.json"])
            #expect(result.status == 2)
            #expect(result.output.components(separatedBy: "aps-object").count >= 3, "\(result.output)")
            let count = "3 notifications in 2 files checked: 2 errors in 2 files"
            #expect((form == "text" ? result.output : result.errors).contains(count), "\(result.text)")
            #expect(result.errors.contains("gone.json cannot be read: No such file"))
            if form == "json" {
                for line in result.lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            } else if form == "sarif" || form == "gitlab" || form == "bitbucket" {
                _ = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
            }
            if form == "sarif" || form == "junit" || form == "github" {
                #expect(result.output.contains("gone.json cannot be read"))
            }
        }
    }

    @Test(arguments: ["gitlab", "bitbucket"])
    func `a report that a service compares is the same for an absolute path`(form: String) async throws {
        try await withCommand { command in
            try files(command)
            let relative = try await command.run(["validate", "--format", form, "payloads"])
            let absolute = try await command.shell("apns validate --format \(form) \"$(pwd -P)/payloads\"")
            #expect(relative.output == absolute.output)
            #expect(relative.output.contains(#""path":"payloads/bad.json""#), "\(relative.output)")
        }
    }

    @Test func `a stream is reported as it comes`() async throws {
        try await withCommand { command in
            let running = try command.start(["validate", "--stdin-filename", "x.ndjson", "-"], hasInput: true)
            running.feed("{\"aps\":1}\n")
            running.feed(String(repeating: "{\"aps\":1}\n", count: 2000))
            try await running.line("x.ndjson:7:8: error")
            running.endInput()
            #expect(await running.status() == 1)
            #expect(
                await running.output.all().hasSuffix("2001 notifications in 1 file checked: 2001 errors in 1 file\n"))
        }
    }

    @Test func `an unknown form is refused with those that there are`() async throws {
        try await withCommand { command in
            let result = try await command.run(["validate", "--format", "xml"])
            #expect(result.status == 64)
            for form in ["text", "json", "sarif", "junit", "github", "gitlab", "bitbucket"] {
                #expect(result.errors.contains(form))
            }
        }
    }
}
