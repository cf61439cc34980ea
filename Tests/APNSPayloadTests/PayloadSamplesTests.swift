import APNSModel
import APNSPayload
import Foundation
import Testing

/// Reads `payloads/` at the root of the repository: what is right in `pass`, and a folder for each rule in `fail`.
struct PayloadSamplesTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("payloads")

    private func notifications(in folder: String) throws -> [SourcedEnvelope] {
        var reader = EnvelopeReader()
        let url = PayloadSamplesTests.root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .flatMap { file in
                reader.readAll(SourceText(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file))))
            }
            .map(withPushTypeOfName)
    }

    /// The name of a file without headers begins with its push type, as in `alert-short.json`.
    private func withPushTypeOfName(_ sourced: SourcedEnvelope) -> SourcedEnvelope {
        guard !sourced.envelope.knowsItsHeaders, let word = sourced.source.name.split(separator: "-").first,
            PushType(rawValue: String(word)).isKnown
        else { return sourced }
        var sourced = sourced
        sourced.envelope.pushType = String(word)
        return sourced
    }

    @Test func `no rule finds anything in the samples that are right`() throws {
        var validator = Validator()
        let samples = try notifications(in: "pass")
        #expect(samples.count >= 60)
        for sample in samples {
            let findings = validator.findings(for: sample.envelope)
            #expect(findings.isEmpty, "\(sample.source.name):\(sample.source.firstLine): \(findings)")
        }
        let pushTypes = Set(samples.compactMap(\.envelope.pushType))
        #expect(pushTypes == Set(PushType.known.map(\.rawValue)))
        #expect(Set(samples.map(\.envelope.kind)) == [.payload, .apns, .envelope])
    }

    @Test func `the page about the samples names each that is right`() throws {
        let page = try String(
            contentsOf: PayloadSamplesTests.root.appendingPathComponent("README.md"), encoding: .utf8)
        let folder = PayloadSamplesTests.root.appendingPathComponent("pass")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            #expect(page.contains("`\(file)`"), "payloads/README.md does not name \(file)")
        }
    }

    @Test(arguments: Rule.all)
    func `a rule finds a fault in every sample of its folder`(rule: Rule) throws {
        var validator = Validator()
        let samples = try notifications(in: "fail/\(rule.id)")
        #expect(!samples.isEmpty)
        for sample in samples {
            let findings = validator.findings(for: sample.envelope)
            #expect(findings.contains { $0.rule == rule.id }, "\(sample.source.name)")
        }
    }

    @Test func `every folder of faults is that of a rule`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: PayloadSamplesTests.root.appendingPathComponent("fail").path)
        #expect(Set(folders) == Set(Rule.all.map(\.id)))
    }
}
