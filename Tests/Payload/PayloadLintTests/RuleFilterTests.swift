import APNSModel
import APNSPayload
import PayloadLint
import Testing

struct RuleFilterTests {
    private func ids(_ filter: RuleFilter) -> [String] { RuleCatalog.all.filter { filter.admits($0) }.map(\.id) }

    @Test func `without a choice every rule is listed`() {
        #expect(ids(RuleFilter()).count == RuleCatalog.all.count)
    }

    @Test func `layer, severity, push type and words choose rules together`() {
        #expect(ids(RuleFilter(layer: .style)).contains("secret-in-payload"))
        #expect(!ids(RuleFilter(layer: .style)).contains("payload-json"))
        #expect(ids(RuleFilter(severity: .note)).contains("secret-in-payload"))
        let mdm = ids(RuleFilter(pushType: .mdm))
        #expect(mdm.contains("mdm-topic") && !mdm.contains("background-priority"))
        #expect(ids(RuleFilter(words: "SOUND .aiff")) == ["sound-file-type"])
        #expect(ids(RuleFilter(severity: .error, words: "BadPriority")).contains("priority-value"))
        #expect(ids(RuleFilter(words: "xyzzy")).isEmpty)
    }
}
