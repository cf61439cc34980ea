import APNSPayload
import Foundation
import Testing

@testable import apns

struct RuleTextTests {
    @Test(arguments: Rule.all.map(\.id)) func `a rule is JSON with all its parts`(id: String) throws {
        let rule = try #require(Rule.all.first { $0.id == id })
        let short = try JSONSerialization.jsonObject(with: Data(RuleText.json(rule).utf8)) as? [String: Any]
        #expect(Set((short ?? [:]).keys) == ["id", "severity", "layer", "summary"])
        let whole = try JSONSerialization.jsonObject(with: Data(RuleText.json(rule, isWhole: true).utf8))
        let members = try #require(whole as? [String: Any])
        #expect((members["passes"] as? [Any])?.count == rule.passes.count)
        #expect((members["fails"] as? [Any])?.count == rule.fails.count)
        #expect(members["id"] as? String == id)
    }
}
