import APNSModel
import APNSPayload
import Foundation
import Testing

/// Checks the files in `payloads/`: valid notifications in `pass`, and a folder for each rule in `fail`.
struct PayloadSamplesTests {
    @Test func `no rule finds anything in the samples in pass`() throws {
        var validator = Validator()
        let samples = try Samples.notifications(in: "pass")
        #expect(samples.count >= 60)
        for sample in samples {
            let findings = validator.findings(for: sample.envelope)
            #expect(findings.isEmpty, "\(sample.source.name):\(sample.source.firstLine): \(findings)")
        }
        let pushTypes = Set(samples.compactMap(\.envelope.pushType))
        #expect(pushTypes == Set(PushType.known.map(\.rawValue)))
        #expect(Set(samples.map(\.envelope.kind)) == [.payload, .apns, .envelope])
    }

    @Test func `the page about the samples names each file in pass`() throws {
        let page = try String(
            contentsOf: Samples.root.appendingPathComponent("README.md"), encoding: .utf8)
        let folder = Samples.root.appendingPathComponent("pass")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            #expect(page.contains("`\(file)`"), "payloads/README.md does not name \(file)")
        }
    }

    @Test(arguments: Rule.all)
    func `a rule finds a problem in every sample of its folder`(rule: Rule) throws {
        // The samples of rules about contracts use the contract of their examples.
        var validator = Validator(contracts: rule.fails.first?.contracts ?? [])
        validator.now = 1_767_225_600
        let samples = try Samples.notifications(in: "fail/\(rule.id)")
        #expect(!samples.isEmpty)
        for sample in samples {
            let findings = validator.findings(for: sample.envelope)
            #expect(findings.contains { $0.rule == rule.id }, "\(sample.source.name)")
        }
    }

    @Test func `every folder in fail is that of a rule`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Samples.root.appendingPathComponent("fail").path)
        #expect(Set(folders) == Set(Rule.all.map(\.id)))
    }
}
