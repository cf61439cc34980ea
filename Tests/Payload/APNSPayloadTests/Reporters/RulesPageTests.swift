import APNSPayload
import Foundation
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

    @Test func `a list for a terminal continues a long requirement below itself`() {
        let rules = [Rule.payloadTooLarge, .badgeForm]
        let list = RulesPage.list(rules, width: 90).split(separator: "\n")
        #expect(list.allSatisfy { $0.count <= 90 })
        #expect(list.filter { $0.hasPrefix("                  ") }.count == list.count - rules.count)
        #expect(RulesPage.list(rules, width: 400) == RulesPage.list(rules))
        let header = RulesPage.header(of: rules)
        #expect(header.hasPrefix("RULE "))
        // The columns of header and list begin at the same place.
        let start = header.range(of: "LAYER")?.lowerBound
        let row = RulesPage.list(rules)
        #expect(start.map { row[$0...].hasPrefix("gateway") } == true)
    }

    @Test(arguments: [36, 60, 76, 90]) func `a list is no wider than the terminal`(width: Int) {
        let list = RulesPage.list(width: width)
        #expect(list.split(separator: "\n").allSatisfy { $0.count <= width }, "\(list)")
        #expect(RulesPage.header(width: width).split(separator: "\n").allSatisfy { $0.count <= width })
        let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
        #expect(words(list) == words(RulesPage.list()))
    }

    @Test func `a page of a rule for a terminal has its sentences wrapped`() {
        for rule in Rule.all {
            let whole = RulesPage.text(for: rule)
            let lines = RulesPage.text(for: rule, width: 60).split(separator: "\n")
            let sentences = lines.prefix { !$0.hasPrefix("Source: ") }
            #expect(sentences.allSatisfy { $0.count <= 60 }, "\(rule)")
            #expect(lines.contains("Source: \(rule.source)"))
            #expect(lines.joined(separator: " ").split(separator: " ") == whole.split { $0 == " " || $0 == "\n" })
        }
    }

    @Test func `the page with search has each rule at its id, and text from rules is escaped`() {
        let page = RulesSite.html()
        for rule in Rule.all {
            #expect(page.contains("<article id=\"\(rule.id)\" data-severity=\"\(rule.severity.rawValue)\""))
        }
        #expect(!page.contains("<00fc13ad"))
        #expect(page.contains("&lt;00fc13ad"))
        #expect(!page.contains(" src=") && page.components(separatedBy: "<script").count == 2)
    }

    @Test func `long payloads are shortened on the page`() {
        #expect(RulesPage.markdown().split(separator: "\n").allSatisfy { $0.utf8.count < 400 })
    }
}
