import APNSPayload
import Foundation
import Testing

struct RuleLinksTests {
    private let links = RuleLinks("https://example.com/rules.html")

    private func report(_ reporter: some FindingReporter, _ text: String = #"{"aps":"x"}"#) -> String {
        var reporter = reporter
        var reader = EnvelopeReader()
        var validator = Validator()
        let sourced = reader.read(SourceText(name: "a.json", bytes: Array(text.utf8)))
        let findings = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
        return reporter.begin() + reporter.begin(file: "a.json", failOn: .error)
            + reporter.report(findings, in: sourced.source) + reporter.end()
    }

    @Test func `only an address without a fragment is a page`() {
        #expect(links?.address(of: "aps-object") == "https://example.com/rules.html#aps-object")
        #expect(RuleLinks("file:///usr/share/rules.html") != nil && RuleLinks("http://x") != nil)
        for text in [
            "", "https://", "rules.html", "javascript:alert(1)", "https://x/#y", "https://x/a b", "https://x/\u{1B}",
            "https://x/ä", "file://host", "https://x/\"",
        ] {
            #expect(RuleLinks(text) == nil, "\(text)")
        }
        #expect(RuleLinks(file: "/a b/rules.html")?.address(of: "x") == "file:///a%20b/rules.html#x")
        #expect(RuleLinks(file: "rules.html") == nil)
    }

    @Test func `every report has the address of the rule, and none without a page`() throws {
        let address = "https://example.com/rules.html#aps-object"
        let with = [
            report(TextReporter(links: links)), report(TextReporter(links: links, hidesAddresses: true)),
            report(JSONReporter(links: links)), report(JUnitReporter(links: links)),
            report(GitHubReporter(links: links)), report(GitLabReporter(links: links)),
            report(BitbucketReporter(links: links)), report(SARIFReporter(version: "1", links: links)),
        ]
        for text in with { #expect(text.contains(address), "\(text)") }
        let without = [
            report(TextReporter()), report(TextReporter(hidesAddresses: true)), report(JSONReporter()),
            report(JUnitReporter()), report(GitHubReporter()), report(GitLabReporter()), report(BitbucketReporter()),
            report(SARIFReporter(version: "1")),
        ]
        for text in without { #expect(!text.contains("#aps-object") && !text.contains("\u{1B}"), "\(text)") }
    }

    @Test func `a terminal shows the rule id as a link, a file has its address on a line`() {
        let link = "\u{1B}]8;;https://example.com/rules.html#aps-object\u{1B}\\aps-object\u{1B}]8;;\u{1B}\\"
        #expect(
            report(TextReporter(links: links, hidesAddresses: true)) == """
                a.json:1:8: error: aps is a string; it must be an object [\(link)]
                  {"aps":"x"}
                         ^^^

                """)
        #expect(
            report(TextReporter(links: links)) == """
                a.json:1:8: error: aps is a string; it must be an object [aps-object]
                  {"aps":"x"}
                         ^^^
                  see: https://example.com/rules.html#aps-object

                """)
    }

    @Test func `the help of each rule in SARIF is its page, or its source`() throws {
        func addresses(_ text: String) throws -> [String?] {
            let log = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let run = (log?["runs"] as? [[String: Any]])?.first
            let driver = (run?["tool"] as? [String: Any])?["driver"] as? [String: Any]
            return try #require(driver?["rules"] as? [[String: Any]]).map { $0["helpUri"] as? String }
        }
        #expect(
            try addresses(report(SARIFReporter(version: "1", links: links)))
                == Rule.all.map { "https://example.com/rules.html#\($0.id)" })
        #expect(
            try addresses(report(SARIFReporter(version: "1")))
                == Rule.all.map { $0.source.hasPrefix("https://") ? $0.source : nil })
    }
}
