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
        // A rule about payloads of unknown push type is of no use to one who asks about a push type.
        #expect(!mdm.contains("payload-fits-voip-only") && mdm.contains("payload-too-large"))
        #expect(ids(RuleFilter(words: "SOUND .aiff")) == ["sound-file-type"])
        #expect(ids(RuleFilter(severity: .error, words: "BadPriority")).contains("priority-value"))
        #expect(ids(RuleFilter(words: "xyzzy")).isEmpty)
    }
}
