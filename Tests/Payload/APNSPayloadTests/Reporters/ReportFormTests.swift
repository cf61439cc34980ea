import APNSPayload
import Foundation
import Testing

/// The report formats for other tools, each as a complete report.
struct ReportFormTests {
    private struct Part {
        var source: SourceText
        var findings: [LocatedFinding]

        init(_ text: String, name: String, line: Int = 1) {
            var reader = EnvelopeReader()
            var validator = Validator()
            source = SourceText(name: name, bytes: Array(text.utf8), firstLine: line)
            let sourced = reader.read(source)
            findings = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
        }
    }

    /// An error, a warning with a fix in the second line, and a line of a stream with a note.
    private static let parts = [
        Part(#"{"aps":"x"}"#, name: "./ä b.json"),
        Part("{\n  \"aps\": { \"content-available\": true }\n}", name: "fix.json"),
        Part(#"{"aps":1}"#, name: "many.ndjson", line: 7),
    ]

    private func report(
        _ reporter: some FindingReporter, _ parts: [Part] = parts, failures: [(String, String?)] = []
    ) -> String {
        var reporter = reporter
        var text = reporter.begin()
        for part in parts {
            text += reporter.begin(file: part.source.name, failOn: .error)
            text += reporter.report(part.findings, in: part.source)
        }
        for (message, file) in failures { text += reporter.failure(message, in: file) }
        return text + reporter.end()
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    // MARK: SARIF

    private func run(_ text: String) throws -> [String: Any] {
        let log = try object(text)
        #expect(log["version"] as? String == "2.1.0")
        let runs = try #require(log["runs"] as? [[String: Any]])
        #expect(runs.count == 1)
        return runs[0]
    }

    @Test func `sarif has every rule with its help`() throws {
        let run = try run(report(SARIFReporter(version: "1.2.3")))
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "apns validate")
        #expect(driver["semanticVersion"] as? String == "1.2.3")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.compactMap { $0["id"] as? String } == Rule.all.map(\.id))
        for (rule, object) in zip(Rule.all, rules) {
            #expect((object["shortDescription"] as? [String: Any])?["text"] as? String == rule.summary)
            #expect((object["fullDescription"] as? [String: Any])?["text"] as? String == rule.rationale)
            let help = object["help"] as? [String: Any]
            #expect((help?["text"] as? String)?.contains(rule.source) == true)
            #expect((help?["markdown"] as? String)?.contains(rule.summary) == true)
            #expect((object["defaultConfiguration"] as? [String: Any])?["level"] as? String == rule.severity.rawValue)
        }
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
    }

    @Test func `sarif has a result for each finding, with region, fingerprint and fix`() throws {
        let run = try run(report(SARIFReporter(version: "1")))
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 3)
        for (result, part) in zip(results, ReportFormTests.parts) {
            let finding = part.findings[0].finding
            #expect(result["ruleId"] as? String == finding.rule)
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(Rule.all[index].id == finding.rule)
            #expect(result["level"] as? String == finding.severity.rawValue)
            #expect((result["message"] as? [String: Any])?["text"] as? String == finding.message)
        }
        func location(_ result: [String: Any]) throws -> [String: Any] {
            try #require((result["locations"] as? [[String: Any]])?.first)
        }
        func region(_ result: [String: Any]) throws -> [String: Int] {
            let physical = try location(result)["physicalLocation"] as? [String: Any]
            return try #require(physical?["region"] as? [String: Int])
        }
        let physical = try location(results[0])["physicalLocation"] as? [String: Any]
        let artifact = physical?["artifactLocation"] as? [String: Any]
        #expect(artifact?["uri"] as? String == "%C3%A4%20b.json" && artifact?["uriBaseId"] as? String == "%SRCROOT%")
        #expect(
            try region(results[0]) == [
                "startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 11, "byteOffset": 7, "byteLength": 3,
            ])
        let logical = try location(results[0])["logicalLocations"] as? [[String: Any]]
        #expect(logical?.first?["fullyQualifiedName"] as? String == "/aps")
        #expect(try region(results[1])["startLine"] == 2)
        #expect(
            try region(results[2]) == ["startLine": 7, "startColumn": 8, "endLine": 7, "endColumn": 9],
            "byte offsets in a line would be wrong for the file")
        let fixes = try #require(results[1]["fixes"] as? [[String: Any]])
        let change = (fixes[0]["artifactChanges"] as? [[String: Any]])?.first
        let replacement = try #require((change?["replacements"] as? [[String: Any]])?.first)
        #expect(
            replacement["deletedRegion"] as? [String: Int] == [
                "startLine": 2, "startColumn": 33, "endLine": 2, "endColumn": 37,
            ])
        #expect((replacement["insertedContent"] as? [String: String])?["text"] == "1")
        let fingerprints = results.compactMap { ($0["partialFingerprints"] as? [String: String])?["apnsValidate/v1"] }
        #expect(Set(fingerprints).count == 3 && fingerprints.allSatisfy { $0.hasSuffix(":1") && $0.utf8.count == 18 })
    }

    @Test func `sarif reports failures, and is valid without findings`() throws {
        let good = try run(report(SARIFReporter(version: "1"), []))
        #expect((good["results"] as? [Any])?.isEmpty == true)
        #expect((good["invocations"] as? [[String: Any]])?.first?["executionSuccessful"] as? Bool == true)
        let bad = try run(report(SARIFReporter(version: "1"), failures: [("gone", "x.json"), ("a \"b\"", nil)]))
        let invocation = try #require((bad["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
        #expect(notes.compactMap { ($0["message"] as? [String: String])?["text"] } == ["gone", #"a "b""#])
    }

    @Test func `the same finding twice in a file has two fingerprints`() throws {
        let part = Part(#"{"aps":1}"#, name: "a.json")
        let results = try run(report(SARIFReporter(version: "1"), [part, part]))["results"] as? [[String: Any]]
        let fingerprints = results?.compactMap { ($0["partialFingerprints"] as? [String: String])?["apnsValidate/v1"] }
        #expect(fingerprints?.map { $0.suffix(2) } == [":1", ":2"])
        #expect(fingerprints?[0].dropLast() == fingerprints?[1].dropLast())
    }

    // MARK: GitHub

    @Test func `the GitHub report has a workflow command for each finding`() {
        #expect(
            report(GitHubReporter()) == """
                ::error file=ä b.json,line=1,col=8,endColumn=10,title=aps-object::aps is a string; it must be an object
                ::warning file=fix.json,line=2,col=33,endColumn=36,title=content-available-form::content-available is \
                true; write the number 1
                ::error file=many.ndjson,line=7,col=8,endColumn=8,title=aps-object::aps is a number; it must be an object

                """)
    }

    @Test func `special characters of workflow commands are escaped`() {
        let part = Part(#"{"aps":{"content-available":"%\n,:"}}"#, name: "a,b:c%d\n.json")
        let text = report(GitHubReporter(), [part], failures: [("50% \r\n gone", "x,y")])
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("file=a%2Cb%3Ac%25d%0A.json,"))
        #expect(lines[0].contains("%25"))
        #expect(lines[1] == "::error file=x%2Cy::50%25 %0D%0A gone")
    }

    // MARK: GitLab

    @Test func `the GitLab report is an array with an object for each finding`() throws {
        let text = report(GitLabReporter())
        let list = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(list.map { $0["check_name"] as? String } == ["aps-object", "content-available-form", "aps-object"])
        #expect(list.map { $0["severity"] as? String } == ["critical", "minor", "critical"])
        let location = list[0]["location"] as? [String: Any]
        #expect(location?["path"] as? String == "ä b.json")
        #expect((list[1]["location"] as? [String: Any])?["lines"] as? [String: Int] == ["begin": 2, "end": 2])
        #expect(Set(list.compactMap { $0["fingerprint"] as? String }).count == 3)
        let empty = try JSONSerialization.jsonObject(with: Data(report(GitLabReporter(), []).utf8)) as? [Any]
        #expect(empty?.isEmpty == true)
    }

    @Test func `a fingerprint stays when lines move, and differs between files and repetitions`() throws {
        func fingerprints(_ parts: [Part]) throws -> [String] {
            let data = Data(report(GitLabReporter(), parts).utf8)
            let list = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            return list.compactMap { $0["fingerprint"] as? String }
        }
        let part = Part(#"{"aps":1}"#, name: "a.json")
        let moved = try fingerprints([Part("\n\n{ \"aps\": 1 }", name: "a.json")])
        #expect(try fingerprints([part]) == moved)
        #expect(try fingerprints([Part(#"{"aps":1}"#, name: "b.json")]) != moved)
        #expect(try Set(fingerprints([part, part, part])).count == 3)
        let absolute = report(GitLabReporter(folder: "/work"), [Part(#"{"aps":1}"#, name: "/work/p/a.json")])
        #expect(absolute == report(GitLabReporter(), [Part(#"{"aps":1}"#, name: "./p/a.json")]))
        #expect(absolute.contains(#""path":"p/a.json""#), "\(absolute)")
        let lines = [7, 9].map { Part(#"{"aps":1}"#, name: "a.ndjson", line: $0) }
        #expect(try fingerprints([lines[0]]) == fingerprints([lines[1]]))
    }

    // MARK: JUnit

    @Test func `junit has a suite for each file and a case for each notification`() {
        let parts = [
            ReportFormTests.parts[0], ReportFormTests.parts[1], Part(#"{"aps":{"badge":1}}"#, name: "many.ndjson"),
            Part(#"{"aps":1}"#, name: "many.ndjson", line: 2),
        ]
        #expect(
            report(JUnitReporter(), parts, failures: [("gone", "x.json")]) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="apns validate">
                  <testsuite name="./ä b.json">
                    <testcase name="payload" classname="./ä b.json" file="./ä b.json" line="1">
                      <failure type="aps-object" message="aps is a string; it must be an object">
                ./ä b.json:1:8: error: aps is a string; it must be an object [aps-object]
                      </failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="fix.json">
                    <testcase name="payload" classname="fix.json" file="fix.json" line="1">
                      <system-out>
                fix.json:2:33: warning: content-available is true; write the number 1 [content-available-form]
                      </system-out>
                    </testcase>
                  </testsuite>
                  <testsuite name="many.ndjson">
                    <testcase name="line 1" classname="many.ndjson" file="many.ndjson" line="1"/>
                    <testcase name="line 2" classname="many.ndjson" file="many.ndjson" line="2">
                      <failure type="aps-object" message="aps is a number; it must be an object">
                many.ndjson:2:8: error: aps is a number; it must be an object [aps-object]
                      </failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="x.json">
                    <testcase name="read" classname="x.json" file="x.json" line="1">
                      <error message="gone"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func `characters that XML cannot represent are replaced, and others are escaped`() {
        let part = Part("{\"aps\":{\"content-available\":\"<&>\u{7F}'\"}}", name: "a\u{1}<\">&\n.json")
        let text = report(JUnitReporter(), [part], failures: [("a\u{0}\u{FFFF}", nil)])
        #expect(text.contains(#"name="a\#u{FFFD}&lt;&quot;&gt;&amp;&#10;.json""#))
        #expect(text.contains("&lt;&amp;&gt;"))
        #expect(text.contains("a\u{FFFD}\u{FFFD}"))
        let wrong = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
        #expect(wrong.isEmpty)
    }

    @Test func `an empty report is complete in every format`() {
        #expect(report(JUnitReporter(), []).hasSuffix("<testsuites name=\"apns validate\">\n</testsuites>\n"))
        #expect(report(GitHubReporter(), []).isEmpty && report(JSONReporter(), []).isEmpty)
    }
}
