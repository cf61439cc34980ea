import Foundation
import Testing

@testable import APNSPayload

struct BitbucketReporterTests {
    private struct Report {
        var annotations: [[String: Any]]
        var report: [String: Any]
    }

    private func report(
        _ lines: [String], failOn: Severity = .error, failures: [String] = []
    ) throws -> Report {
        var reporter = BitbucketReporter()
        var text = reporter.begin() + reporter.begin(file: "./a.ndjson", failOn: failOn)
        for (number, line) in lines.enumerated() {
            var reader = EnvelopeReader()
            var validator = Validator()
            let source = SourceText(name: "./a.ndjson", bytes: Array(line.utf8), firstLine: number + 1)
            let sourced = reader.read(source)
            let findings = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
            text += reporter.report(findings, in: source)
        }
        for failure in failures { text += reporter.failure(failure, in: nil) }
        text += reporter.end()
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return Report(
            annotations: try #require(object?["annotations"] as? [[String: Any]]),
            report: try #require(object?["report"] as? [String: Any]))
    }

    private func numbers(_ report: Report) -> [String: Int] {
        let data = report.report["data"] as? [[String: Any]] ?? []
        return Dictionary(
            data.map { ($0["title"] as? String ?? "", $0["value"] as? Int ?? -1) }
        ) { first, _ in first }
    }

    @Test func `each finding is an annotation of its line, with the reason of its rule`() throws {
        let made = try report([#"{"aps":"x"}"#, #"{"aps":{"content-available":true}}"#, #"{"aps":"x"}"#])
        #expect(made.annotations.map { $0["line"] as? Int } == [1, 2, 3])
        #expect(made.annotations.map { $0["severity"] as? String } == ["HIGH", "MEDIUM", "HIGH"])
        let first = try #require(made.annotations.first)
        #expect(first["path"] as? String == "a.ndjson")
        #expect(first["summary"] as? String == "aps is a string; it must be an object [aps-object]")
        #expect(first["annotation_type"] as? String == "BUG")
        #expect(first["details"] as? String == Rule.named("aps-object")?.rationale)
        // Equal findings would replace each other.
        #expect(Set(made.annotations.compactMap { $0["external_id"] as? String }).count == 3)
        #expect(made.report["result"] as? String == "FAILED")
        #expect(numbers(made) == ["Errors": 2, "Warnings": 1, "Notes": 0])
    }

    @Test func `the result follows the severity that fails, and what could not be checked`() throws {
        let warning = [#"{"aps":{"content-available":true}}"#]
        #expect(try report(warning).report["result"] as? String == "PASSED")
        #expect(try report(warning, failOn: .warning).report["result"] as? String == "FAILED")
        let empty = try report([])
        #expect(empty.annotations.isEmpty && empty.report["result"] as? String == "PASSED")
        #expect(empty.report["details"] as? String == "No findings.")
        let failed = try report([], failures: ["x cannot be read"] + Array(repeating: "y", count: 9))
        #expect(failed.report["result"] as? String == "FAILED")
        let details = try #require(failed.report["details"] as? String)
        #expect(details.hasPrefix("x cannot be read.\n") && details.hasSuffix("And 5 more that could not be checked."))
    }

    @Test func `it keeps to the limits of Bitbucket`() throws {
        let many = try report(Array(repeating: #"{"aps":"x"}"#, count: BitbucketReporter.maximumAnnotations + 7))
        #expect(many.annotations.count == BitbucketReporter.maximumAnnotations)
        #expect(numbers(many)["Errors"] == BitbucketReporter.maximumAnnotations + 7)
        #expect(many.report["details"] as? String == "The first 1000 of 1007 findings are annotations.")
        let failures = try report([], failures: Array(repeating: String(repeating: "ä", count: 900), count: 4))
        #expect((failures.report["details"] as? String)?.utf16.count ?? 9999 <= 2000)
        #expect(BitbucketReporter.cut("abcdef", to: 6) == "abcdef")
        #expect(BitbucketReporter.cut("abcdefg", to: 6) == "abcde…")
        #expect(BitbucketReporter.cut("😀😀😀😀", to: 6) == "😀😀…")
        for rule in Rule.all {
            #expect(BitbucketReporter.cut(rule.rationale, to: 2000) == rule.rationale, "\(rule)")
        }
    }
}
