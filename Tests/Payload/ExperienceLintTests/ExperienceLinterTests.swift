import APNSPayload
import ExperienceLint
import RepositoryFiles
import Testing

/// The linter of experience entries.
struct ExperienceLinterTests {
    /// A baseline with one experience; `config` and `more` are members of JSON objects.
    private func file(
        config: String =
            #""traffic":1,"distribution":[0.5,0.5],"components":[{"baseline":{"id":"hero"},"variants":[{"id":"b"}]}]"#,
        id: String = #""exp-1""#, type: String = #""nt_experiment""#, more: String = "",
        variants: String = #"[{"sys":{"id":"b","type":"Entry"},"fields":{"title":"B"}}]"#
    ) -> String {
        #"""
        {"sys":{"id":"hero","type":"Entry"},"fields":{"nt_experiences":[
          {"sys":{"id":"x1","type":"Entry","contentType":{"sys":{"id":"nt_experience"}}},"fields":{
            "nt_experience_id":\#(id),"nt_type":\#(type),"nt_config":{\#(config)},"nt_variants":\#(variants)\#(more)}}]}}
        """#
    }

    private func findings(_ text: String) -> [Finding] { ExperienceLinter.check(Array(text.utf8)).findings }
    private func rules(_ text: String) -> [String] { findings(text).map(\.rule) }
    /// The bytes that a finding is about.
    private func source(_ finding: Finding, _ text: String) -> String {
        finding.range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } ?? ""
    }

    @Test func `a complete experience has no findings`() {
        let result = ExperienceLinter.check(Array(file().utf8))
        #expect(result.findings.isEmpty && result.experiences == 1, "\(result.findings)")
    }

    private static func components(_ text: String) -> String {
        #""traffic":1,"distribution":[0.5,0.5],"components":\#(text)"#
    }

    /// Members of the configuration, the rule that is broken, and what it points at.
    @Test(arguments: [
        (#""distribution":[1],"components":[]"#, "experience-traffic-zero", ""),
        (#""traffic":0,"distribution":[1]"#, "experience-traffic-zero", "0"),
        (#""traffic":1.5,"distribution":[1]"#, "experience-traffic", "1.5"),
        (#""traffic":"1","distribution":[1]"#, "experience-traffic", "\"1\""),
        (
            #""traffic":1,"distribution":[0.5,0.4],"components":[{"baseline":{"id":"hero"},"variants":[{"id":"b"}]}]"#,
            "experience-shares-sum", "[0.5,0.4]"
        ),
        (
            #""traffic":1,"distribution":[0.6,0.6],"components":[{"baseline":{"id":"hero"},"variants":[{"id":"b"}]}]"#,
            "experience-shares-sum", "[0.6,0.6]"
        ),
        (#""traffic":1,"distribution":[50,50]"#, "experience-share-value", "50"),
        (#""traffic":1,"distribution":[0.5,null]"#, "experience-share-value", "null"),
        (#""traffic":1,"distribution":{}"#, "experience-share-value", "{}"),
        (
            #""traffic":1,"distribution":[1,0],"components":[{"baseline":{"id":"hero"},"variants":[{"id":"b"}]}]"#,
            "experience-index-unreachable", "0"
        ),
        (
            #""traffic":1,"distribution":[1],"components":[{"baseline":{"id":"hero"},"variants":[{"id":"b"}]}]"#,
            "experience-index-unreachable", #"{"id":"b"}"#
        ),
        (
            ExperienceLinterTests.components(#"[{"baseline":{"id":"hero"},"variants":[]}]"#),
            "experience-variant-missing", "[]"
        ),
        (
            components(#"[{"baseline":{"id":"hero"},"variants":[{"id":"c"}]}]"#), "experience-variant-unresolved",
            #"{"id":"c"}"#
        ),
        (
            ExperienceLinterTests.components(#"[{"baseline":{"id":"hero"},"variants":[{}]}]"#),
            "experience-variant-missing", "{}"
        ),
        (ExperienceLinterTests.components(#"[{"type":"Other","baseline":{"id":"hero"}}]"#), "experience-component", ""),
        (ExperienceLinterTests.components(#"[{"baseline":{},"variants":[{"id":"b"}]}]"#), "experience-component", ""),
        (
            ExperienceLinterTests.components(#"[{"type":"InlineVariable","variants":[{"value":1}]}]"#),
            "experience-component", ""
        ),
        (ExperienceLinterTests.components("{}"), "experience-component", "{}"),
        (
            ExperienceLinterTests.components(#"[{"baseline":{"id":"other"},"variants":[{"id":"b"}]}]"#),
            "experience-baseline", ""
        ),
    ])
    func `a mistake in the configuration is found at its place`(config: String, rule: String, place: String) {
        let text = file(config: config)
        let found = findings(text).filter { $0.rule == rule }
        #expect(!found.isEmpty, "\(findings(text))")
        if !place.isEmpty { #expect(found.contains { source($0, text) == place }, "\(found)") }
    }

    @Test(arguments: [
        (#"{"a":1}"#, "experience-file"), ("7", "experience-file"), ("", "experience-file"), ("[1,", "experience-file"),
        (#"{"items":{}}"#, "experience-file"),
    ])
    func `a file of another kind is one finding`(text: String, rule: String) { #expect(rules(text) == [rule]) }

    @Test func `fields that are missing, wrong or by locale`() {
        #expect(rules(file(id: "\"\"")) == ["experience-required-field"])
        #expect(rules(file(type: "7")) == ["experience-required-field"])
        #expect(rules(file(type: #""test""#)) == ["experience-type"])
        let locales = file(id: #"{"en-US":"exp-1","zh-Hant-TW":"exp-1"}"#)
        #expect(rules(locales) == ["experience-locale-map"], "and nothing else")
        #expect(findings(locales)[0].pointer == "/fields/nt_experiences/0/fields/nt_experience_id")
    }

    @Test func `an audience that is not there`() {
        let link = #","nt_audience":{"sys":{"type":"Link","linkType":"Entry","id":"a1"}}"#
        #expect(rules(file(more: link)) == ["experience-audience-missing"])
        let audience =
            #"{"sys":{"id":"a1","contentType":{"sys":{"id":"nt_audience"}}},"fields":{"nt_audience_id":"gold"}}"#
        #expect(rules("[\(file(more: link)),\(audience)]").isEmpty)
        #expect(
            rules("[\(file(more: link)),\(audience.replacing("gold", with: ""))]") == ["experience-audience-missing"])
        #expect(rules(file(more: #","nt_audience":null"#)).isEmpty)
    }

    @Test func `variants and experiences whose entries did not come along`() {
        let link = #"[{"sys":{"type":"Link","linkType":"Entry","id":"b"}}]"#
        #expect(rules(file(variants: link)) == ["experience-variant-unresolved"], "once")
        #expect(rules(#"[\#(file(variants: link)),{"sys":{"id":"b"},"fields":{}}]"#).isEmpty)
        let hero = #"{"sys":{"id":"h"},"fields":{"nt_experiences":\#(link)}}"#
        #expect(rules(hero) == ["experience-link-unresolved"])
        let reply = #"{"items":[\#(hero)],"includes":{"Entry":[{"sys":{"id":"b"},"fields":{}}]}}"#
        #expect(rules(reply).isEmpty)
    }

    @Test func `an empty variant id is meant, and two experiences with one id are not`() {
        let config = ExperienceLinterTests.components(#"[{"baseline":{"id":"hero"},"variants":[{"id":""}]}]"#)
        #expect(rules(file(config: config)).isEmpty)
        let two = "[\(file()),\(file().replacing("\"x1\"", with: "\"x2\""))]"
        #expect(rules(two) == ["experience-duplicate-id"])
        #expect(rules("[\(file()),\(file())]").isEmpty, "the same entry in two places")
    }

    @Test func `a million shares are one finding for each rule up to a hundred, and the rest is counted`() {
        let zeros = Array(repeating: "0", count: 1_000_000).joined(separator: ",")
        let found = findings(file(config: #""traffic":1,"distribution":[1,\#(zeros)],"components":[]"#))
        #expect(found.filter { $0.rule == "experience-index-unreachable" }.count == ExperienceLinter.maximumFindings)
        #expect(found.contains { $0.message.contains("999900 more of this rule") })
        #expect(found.contains { $0.rule == "experience-too-many-shares" })
    }

    @Test func `escapes, depth and circles do not confuse it`() {
        #expect(rules(file(id: #""exp-\u0031\ud83d\ude00""#)).isEmpty)
        #expect(rules(String(repeating: "[", count: 100_000)) == ["experience-file"])
        let circle = #"""
            [{"sys":{"id":"a"},"fields":{"nt_experiences":[{"sys":{"type":"Link","id":"a"}}]}}]
            """#
        #expect(rules(circle).isEmpty)
    }

    @Test(arguments: ExperienceRule.all)
    func `each example that fails is found by its rule, and none that passes`(rule: Rule) {
        for example in rule.fails { #expect(rules(example.payload).contains(rule.id), "\(findings(example.payload))") }
        for example in rule.passes { #expect(!rules(example.payload).contains(rule.id), "\(example.payload)") }
        #expect(!rule.fails.isEmpty && !rule.passes.isEmpty)
    }

    @Test func `docs/optimization.md has the table of rules`() throws {
        let page = try Repository.text("docs/optimization.md")
        #expect(page.contains("<!-- rules -->\n\(ExperienceRule.table)<!-- /rules -->"), "\(ExperienceRule.table)")
    }

    @Test func `each rule has an id of its own`() {
        let ids = ExperienceRule.all.map(\.id)
        #expect(ids.count == Set(ids).count && ids.allSatisfy { $0.hasPrefix("experience-") })
    }
}
