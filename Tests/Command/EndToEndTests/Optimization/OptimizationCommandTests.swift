import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `apns optimization` as a process.
@Suite(.timeLimit(.minutes(3))) struct OptimizationCommandTests {
    private func withFile(_ text: String, _ name: String, _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("optimization-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        try await body(file.path)
    }

    private let entries = #"""
        [{"sys":{"id":"x1","type":"Entry","contentType":{"sys":{"id":"nt_experience"}}},
          "fields":{"nt_name":"Test","nt_type":"nt_experiment","nt_experience_id":"exp-1",
            "nt_config":{"traffic":0.5,"distribution":[0.2,0.8],"components":[]},"nt_variants":[]}}]
        """#

    @Test func `the services say where they are and answer there`() async throws {
        try await withCommand { command in
            let service = try command.start(["optimization", "--port", "0", "--seed", "7", "--json"])
            try await service.stopped {
                let facts = try JSONText.object(try await service.line(#""event":"ready""#))
                #expect(facts["environment"] as? String == "master")
                for key in ["client-id", "space", "access-token"] {
                    #expect((facts[key] as? String)?.isEmpty == false)
                }
                let url = try #require(facts["url"] as? String)
                let health = try #require(URL(string: url + "/health"))
                let (data, _) = try await URLSession.shared.data(from: health)
                let answer = try JSONText.object(String(decoding: data, as: UTF8.self))
                #expect(answer["client-id"] as? String == facts["client-id"] as? String)
            }
        }
    }

    @Test func `a mistake in the configuration is named with its place, and so is one in a file of entries`()
        async throws
    {
        try await withCommand { command in
            try await withFile("audiences:\n  - {nam: gold}\n", "o.yaml") { path in
                let result = try await command.run(["optimization", "--config", path, "--check"])
                #expect(result.status == 2)
                #expect(result.text.contains(":2:6: audiences[0].nam: there is no such key; did you mean name?"))
            }
            try await withFile("[\n{", "e.json") { entries in
                try await withFile("entries: [\(entries)]", "o.yaml") { path in
                    let result = try await command.run(["optimization", "--config", path, "--check"])
                    #expect(result.status == 2 && result.text.contains("\(entries):2:"))
                }
            }
        }
    }

    @Test func `allocate prints the numbers of the table, for an id and for a file`() async throws {
        try await withCommand { command in
            let words = try await command.run(["optimization", "allocate", "--text", "hello", "--json"])
            #expect(words.output == "{\"text\":\"hello\",\"hash\":613153351,\"number\":0.14276088940509615}\n")
            let id = try await command.run([
                "optimization", "allocate", "--experience", "experience1", "--profile", "123", "--json",
            ])
            // As text, because Foundation rounds when it reads numbers.
            #expect(id.output.contains(#""traffic":0.6617731907548786,"distribution":0.1082723711403721,"#))
            try await withFile(entries, "e.json") { path in
                let result = try await command.run([
                    "optimization", "allocate", "--experience", path, "--profile", "profile-1", "--profile",
                    "profile-2",
                    "--json",
                ])
                let lines = try result.output.split(separator: "\n").map { try JSONText.object(String($0)) }
                #expect(lines.map { $0["in"] as? Bool } == [false, true])
                #expect(lines.map { $0["variant-index"] as? Int } == [0, 1])
                #expect(lines.map { $0["experience"] as? String } == ["exp-1", "exp-1"])
            }
            let missing = try await command.run([
                "optimization", "allocate", "--experience", "no.json", "--profile", "p",
            ])
            #expect(missing.status == 2)
            #expect(try await command.run(["optimization", "allocate", "--experience", "x"]).status == 64)
        }
    }

    /// An entry with an experience whose second variant shows nothing.
    private let hero = #"""
        {"sys":{"id":"hero","type":"Entry"},"fields":{"title":"Welcome","nt_experiences":[
          {"sys":{"id":"x1","type":"Entry"},"fields":{"nt_name":"Test","nt_type":"nt_experiment",
            "nt_experience_id":"exp-1","nt_config":{"traffic":1,"distribution":[0.2,0.4,0.4],"components":[
              {"type":"EntryReplacement","baseline":{"id":"hero"},"variants":[{"id":"hero-b"},{"id":"","hidden":true}]}]},
            "nt_variants":[{"sys":{"type":"Link","linkType":"Entry","id":"hero-b"}}]}}]}}
        """#

    private let variant = #"""
        {"items":[],"includes":{"Entry":[{"sys":{"id":"hero-b","type":"Entry"},"fields":{"title":"Hello"}}]}}
        """#

    @Test(arguments: [
        (#"[{"experienceId":"exp-1","variantIndex":1}]"#, "hero-b", false),
        (#"{"data":{"profile":{"id":"p"},"experiences":[{"experienceId":"exp-1","variantIndex":2}]}}"#, "hero", true),
        (#"[{"experienceId":"exp-1","variantIndex":3}]"#, "hero", false), ("null", "hero", false),
    ])
    func `resolve prints what an app shows, and why`(selections: String, shown: String, isEmpty: Bool) async throws {
        try await withCommand { command in
            try await withFile(hero, "hero.json") { hero in
                try await withFile(variant, "more.json") { more in
                    try await withFile(selections, "selections.json") { path in
                        let arguments = [
                            "optimization", "resolve", "--entry", hero, "--include", more, "--selections", path,
                        ]
                        let result = try await command.run(arguments + ["--json"])
                        #expect(result.status == 0, "\(result.text)")
                        let line = try JSONText.object(result.output)
                        let sys = (line["entry"] as? [String: Any])?["sys"] as? [String: Any]
                        #expect(sys?["id"] as? String == shown)
                        #expect(line["empty-variant"] as? Bool == isEmpty)
                        #expect((line["selection"] is NSNull) == (selections == "null"))
                        let why = try #require(line["why"] as? String)
                        #expect(try await command.run(arguments).output.hasSuffix(": \(why)\n"))
                    }
                }
            }
        }
    }

    @Test func `resolve names what it cannot read`() async throws {
        try await withCommand { command in
            try await withFile("[\n{]", "bad.json") { bad in
                try await withFile("[]", "none.json") { none in
                    let selections = ["--selections", none]
                    let broken = try await command.run(["optimization", "resolve", "--entry", bad] + selections)
                    #expect(broken.status == 2 && broken.text.contains("\(bad):2:2: "), "\(broken.text)")
                    let empty = try await command.run(["optimization", "resolve", "--entry", none] + selections)
                    #expect(empty.status == 2 && empty.text.contains("\(none) has no entry with sys.id"))
                    let twice = ["optimization", "resolve", "--entry", "-", "--selections", "-"]
                    #expect(try await command.run(twice).status == 64)
                }
            }
        }
    }

    @Test func `check reports in the formats of the validator and ends with its statuses`() async throws {
        try await withCommand { command in
            try await withFile(entries, "e.json") { path in
                let fine = try await command.run(["optimization", "check", path])
                #expect(fine.status == 0 && fine.output.contains("no findings"), "\(fine.text)")
            }
            try await withFile(entries.replacing("[0.2,0.8]", with: "[0.2,0.7]"), "e.json") { path in
                let text = try await command.run(["optimization", "check", path])
                #expect(text.status == 1)
                #expect(
                    text.output.contains(
                        "\(path):3:47: error: the shares sum to 0.8999999999999999; 1 is wanted [experience-shares-sum]"
                    ), "\(text.output)")
                #expect(text.output.contains("1 experience in 1 file checked: 1 error in 1 file"))
                let json = try await command.run(["optimization", "check", path, "--format", "json"])
                let finding = try JSONText.object(json.output)
                #expect(finding["rule"] as? String == "experience-shares-sum")
                #expect(finding["pointer"] as? String == "/0/fields/nt_config/distribution")
                let sarif = try await command.run(["optimization", "check", path, "--format", "sarif"])
                #expect(sarif.output.contains("\"name\":\"apns optimization check\""))
            }
            #expect(try await command.run(["optimization", "check", "/nowhere.json"]).status == 2)
        }
    }
}
