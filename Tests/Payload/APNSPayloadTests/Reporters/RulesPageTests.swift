import APNSPayload
import Testing

struct RulesPageTests {
    @Test func `the page and the list name every rule and all its examples`() {
        let page = RulesPage.markdown()
        let list = RulesPage.list()
        #expect(list.split(separator: "\n").count == Rule.all.count)
        for rule in Rule.all {
            #expect(page.contains("\n## \(rule.id)\n"))
            #expect(page.contains(rule.source))
            #expect(list.contains(rule.summary))
            let text = RulesPage.text(for: rule)
            #expect(text.hasPrefix("\(rule.id) (\(rule.severity.rawValue), layer \(rule.layer.rawValue)"))
            #expect(text.split(separator: "\n").count >= 6 + rule.passes.count + rule.fails.count)
        }
    }

    @Test func `long payloads are shortened on the page`() {
        #expect(RulesPage.markdown().split(separator: "\n").allSatisfy { $0.utf8.count < 400 })
    }
}
