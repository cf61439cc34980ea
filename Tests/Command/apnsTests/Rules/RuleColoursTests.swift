import APNSPayload
import Testing

@testable import apns

struct RuleColoursTests {
    private static let colours = RuleColours(Style(isColoured: true))

    /// Without escape sequences.
    private static func plain(_ text: String) -> String { text.replacing(#/\u{1B}\[[0-9]*m/#, with: "") }

    @Test(arguments: [nil, 30, 60]) func `the list is the same in colour`(width: Int?) {
        let plain = RulesPage.list(Rule.all, width: width)
        let coloured = Self.colours.list(plain, of: Rule.all)
        #expect(Self.plain(coloured) == plain)
        #expect(coloured.matches(of: #/\u{1B}\[1m/#).count == Rule.all.count)
        #expect(coloured.contains("\u{1B}[31merror\u{1B}[0m") && coloured.contains("\u{1B}[33mwarning\u{1B}[0m"))
        #expect(RuleColours(.plain).list(plain, of: Rule.all) == plain)
    }

    @Test(arguments: [nil, 60]) func `a page of a rule has its title and headings in bold`(width: Int?) {
        let rule = Rule.all[0]
        let plain = RulesPage.text(for: rule, width: width)
        let coloured = Self.colours.page(plain, of: rule)
        #expect(Self.plain(coloured) == plain)
        #expect(coloured.hasPrefix("\u{1B}[1m\(rule.id)\u{1B}[0m") && coloured.contains("\u{1B}[1mPasses:\u{1B}[0m"))
        #expect(RuleColours(.plain).page(plain, of: rule) == plain)
    }
}
