import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `apns personalization` as a process.
@Suite(.timeLimit(.minutes(3))) struct PersonalizationCommandTests {
    @Test func `the service says where it is and answers there`() async throws {
        try await withCommand { command in
            let service = try command.start(["personalization", "--port", "0", "--seed", "7", "--json"])
            try await service.stopped {
                let facts = try JSONText.object(try await service.line(#""event":"ready""#))
                #expect(facts["dataspace"] as? String == "default")
                #expect((facts["access-token"] as? String)?.isEmpty == false)
                let url = try #require(facts["url"] as? String)
                let health = try #require(URL(string: url + "/health"))
                let (data, _) = try await URLSession.shared.data(from: health)
                let answer = try JSONText.object(String(decoding: data, as: UTF8.self))
                #expect(answer["app-source-id"] as? String == facts["app-source-id"] as? String)
            }
        }
    }

    @Test(arguments: ["personalization", "org"])
    func `a control token that can be guessed is refused, that of the environment too`(subcommand: String) async throws
    {
        try await withCommand { command in
            let variable = "APNS_\(subcommand.uppercased())_CONTROL_TOKEN"
            let check = [subcommand, "--check"]
            let long = "0123456789abcdef", short = "0123456789abcde"
            let option = try await command.run(check + ["--control-token", short], environment: [variable: long])
            #expect(option.status == 64 && option.errors.contains("--control-token is shorter than 16 characters"))
            let refused = try await command.run(check, environment: [variable: short])
            #expect(refused.status == 64 && refused.errors.contains("\(variable) is shorter than 16 characters"))
            #expect(!refused.text.contains(short), "\(refused.text)")
            #expect(try await command.run(check, environment: [variable: long]).status == 0)
            #expect(try await command.run(check, environment: [variable: ""]).status == 0)
        }
    }

    @Test(arguments: ["personalization", "optimization", "org"])
    func `the check does not pass an address that needs a control token`(subcommand: String) async throws {
        try await withCommand { command in
            let variable = "APNS_\(subcommand.uppercased())_CONTROL_TOKEN"
            let arguments = [subcommand, "--check", "--host", "0.0.0.0"]
            let open = try await command.run(arguments)
            #expect(open.status == 2)
            #expect(open.errors.contains("pass --control-token or set \(variable), or listen on"), "\(open.text)")
            let token = [variable: "0123456789abcdef"]
            #expect(try await command.run(arguments, environment: token).status == 0)
        }
    }

    @Test(arguments: ["personalization", "optimization"])
    func `the check does not pass a store that cannot be opened, and creates none`(subcommand: String) async throws {
        try await withCommand { command in
            let missing = try await command.run([subcommand, "--check", "--store", "none/x.sqlite"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("create its folder first"), "\(missing.text)")
            let fine = try await command.run([subcommand, "--check", "--store", "x.sqlite"])
            #expect(fine.status == 0, "\(fine.text)")
            let file = command.folder.appendingPathComponent("x.sqlite")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let empty = try await command.run([subcommand, "--check", "--store", ""])
            #expect(empty.status == 64 && empty.errors.contains("--store is empty; name a file"), "\(empty.text)")
        }
    }

    @Test func `a mistake in the configuration is named with its place`() async throws {
        try await withCommand { command in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID()).yaml")
            try Data("points:\n  - {nam: hero}\n".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let result = try await command.run(["personalization", "--config", file.path, "--check"])
            #expect(result.status == 2)
            #expect(result.text.contains(":2:6: points[0].nam: there is no such key; did you mean name?"))
        }
    }
}
