import APNSPayload
import PayloadLint
import Testing

struct LintRuleTests {
    /// The findings about the suppressions of an example, after its payload is checked.
    private func rules(_ example: Example) -> [String] {
        guard var suppression = Suppression(ofEnvelope: Array(example.payload.utf8)) else { return [] }
        let checked = Checked(example.payload)
        for located in checked.findings { _ = suppression.ignores(located.finding.rule) }
        var resolver = Files(contents: [:]).resolver()
        guard let settings = resolver.found(for: "push.json") else { return [] }
        return suppression.findings(in: checked.source, settings: settings).map(\.finding.rule)
    }

    @Test(arguments: LintRule.suppressions.map(\.id))
    func `a rule about suppressions finds a problem in its failing examples only`(id: String) throws {
        let rule = try #require(RuleCatalog.named(id))
        #expect(rule.fails.map(rules) == rule.fails.map { _ in [id] })
        #expect(rule.passes.allSatisfy { rules($0).isEmpty })
    }

    @Test func `every id is unique`() {
        #expect(Set(RuleCatalog.all.map(\.id)).count == Rule.all.count + LintRule.all.count)
    }
}
