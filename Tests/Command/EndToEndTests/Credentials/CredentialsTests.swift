import Foundation
import Testing

struct CredentialsTests {
    @Test func `credentials are made once, and again only by force`() async throws {
        try await withCommand { command in
            let made = try await command.run(["credentials", "--json", "--output", "keys/new"])
            #expect(made.status == 0, "\(made.errors)")
            let facts = try JSONText.object(made.output)
            #expect(Set(facts.keys) == ["ca", "key", "key-id", "team-id", "topic"])
            for name in ["ca", "key"] {
                let path = command.folder.appendingPathComponent(facts[name] as? String ?? "").path
                #expect(FileManager.default.isReadableFile(atPath: path))
            }
            #expect(try await command.run(["credentials", "--json", "-o", "keys/new"]).output == made.output)
            let forced = try await command.run(["credentials", "--json", "-o", "keys/new", "--force"])
            #expect(try JSONText.object(forced.output)["key-id"] as? String != facts["key-id"] as? String)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: command.folder.appendingPathComponent("keys/new").path)
            #expect(files.count == 7 && files.contains(".gitignore"), "\(files)")
        }
    }

    @Test func `a folder that cannot be written is named`() async throws {
        try await withCommand { command in
            try command.write("no folder", to: "file")
            let result = try await command.run(["credentials", "--output", "file/dev"])
            #expect(result.status == 2)
            #expect(result.errors.contains("file/dev"), "\(result.errors)")
            // The option is called otherwise than that of the gateway.
            #expect(!result.errors.contains("--credentials"), "\(result.errors)")
        }
    }

    @Test func `a new key makes a provider token that is judged good`() async throws {
        try await withCommand { command in
            let facts = try JSONText.object(try await command.run(["credentials", "--json"]).output)
            let key = facts["key"] as? String ?? ""
            let token = try await command.run([
                "token", "make", "--key", key, "--team-id", facts["team-id"] as? String ?? "",
            ])
            #expect(token.status == 0)
            let checked = try await command.run([
                "token", "check", "--key", key, token.output.trimmingCharacters(in: .newlines),
            ])
            #expect(checked.status == 0, "\(checked.text)")
        }
    }
}
