import APNSModel
import APNSPayload
import Foundation
import PayloadLint
import Testing
import RepositoryFiles

/// The examples of `docs/validate.md` say what the code does.
struct DocumentationTests {
    /// The parts of the page that are written in a language.
    private func examples(_ language: String) throws -> [String] {
        let page = Repository.url("docs/validate.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func `the configuration is right and complete`() throws {
        let text = try examples("yaml")[0]
        var resolver = Files(contents: [
            "/project/.apns-validate.yaml": text, "/project/shared/pushes.yaml": "fail-on: note",
        ]).resolver()
        let found = resolver.found(for: "silent/a.json")
        #expect(resolver.takeErrors().isEmpty)
        let settings = try #require(found)
        #expect(settings.pushType == .background && settings.topic?.value == "com.example.agent")
        #expect(settings.failOn == .warning)
        #expect(settings.rules.first { $0.id == "content-available-form" }?.severity == .error)
        #expect(!settings.rules.contains { $0.id == "background-push-type" })
        #expect(resolver.settings(for: "generated/a.json") == .excluded(by: ".apns-validate.yaml"))
        let call = resolver.found(for: "voip/a.json")
        #expect(call?.pushType == .voip && call?.contracts.isEmpty == true)
        let contract = try #require(settings.contracts.first)
        #expect(contract.keys.count == 9 && !contract.allowsOtherKeys && contract.visibility == .silent)
    }

    @Test func `what is said about ignoring is right`() throws {
        let envelope = try examples("json")[0]
        #expect(Suppression(ofEnvelope: Array(envelope.utf8))?.problems.isEmpty == true)
        let sidecar = SidecarReader.read(Array(try examples("yaml")[1].utf8), name: "s.yaml")
        #expect(sidecar.errors.isEmpty)
        #expect(sidecar.suppression.entries.map(\.rule) == ["hint-extra-key", "hint-personal-data"])
    }
}
