import Foundation
import Testing
import RepositoryFiles

struct RulesCommandTests {
    @Test func `the page of the rules is what the code says`() async throws {
        try await withCommand { command in
            let page = Repository.url("docs/rules.md")
            let made = try await command.run(["rules", "--page"])
            #expect(made.status == 0)
            #expect(try String(contentsOf: page, encoding: .utf8) == made.output, "run tools/generate")
        }
    }

    @Test(arguments: ["payload", "envelope", "file"])
    func `the schemas are those that the tables give`(kind: String) async throws {
        try await withCommand { command in
            let file = Repository.url("docs/schema/\(kind).schema.json")
            let made = try await command.run(["rules", "--schema", kind])
            #expect(made.status == 0)
            #expect(try String(contentsOf: file, encoding: .utf8) == made.output, "run tools/generate")
        }
    }

    @Test func `the list has a line for each rule, for people and for scripts`() async throws {
        try await withCommand { command in
            let list = try await command.run(["rules"])
            let objects = try await command.run(["rules", "--json"])
            #expect(list.status == 0 && objects.status == 0)
            #expect(list.lines.count == objects.lines.count)
            for line in objects.lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                #expect(object?.keys.sorted() == ["id", "layer", "severity", "summary"])
            }
        }
    }

    @Test func `the list can be narrowed, and its header is not part of the result`() async throws {
        try await withCommand { command in
            let list = try await command.run([
                "rules", "--push-type", "mdm", "--severity", "error", "--layer", "device",
            ])
            #expect(list.status == 0 && list.lines.contains { $0.hasPrefix("mdm-push-magic ") }, "\(list.text)")
            #expect(!list.output.contains("background-priority"))
            #expect(list.errors.hasPrefix("RULE "))
            let none = try await command.run(["rules", "--search", "xyzzy"])
            #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("No rule"))
            #expect(try await command.run(["rules", "--layer", "moon"]).status == 64)
            #expect(try await command.run(["rules", "badge-form", "--layer", "style"]).status == 64)
            let page = try await command.run(["rules", "--html-page"])
            let file = Repository.url("docs/rules.html")
            #expect(try String(contentsOf: file, encoding: .utf8) == page.output, "run tools/generate")
        }
    }

    @Test func `a rule is explained with its source and its examples`() async throws {
        try await withCommand { command in
            let text = try await command.run(["rules", "background-priority"])
            #expect(text.status == 0)
            for word in ["Source: https://", "Passes:", "Fails:"] { #expect(text.output.contains(word)) }
            let json = try await command.run(["rules", "background-priority", "--json"])
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect((object?["fails"] as? [[String: Any]])?.first?["apns-push-type"] as? String == "background")
        }
    }
}
