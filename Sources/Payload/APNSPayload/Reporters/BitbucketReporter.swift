import PayloadJSON

/// Reports findings as a report of Bitbucket's Code Insights: an object with `annotations`, and `report`, which Bitbucket
/// takes one after the other (`tools/lib/to-bitbucket`).
///
/// Bitbucket Cloud takes 1000 annotations for a report, 450 characters of summary and 2000 of details.
public struct BitbucketReporter: FindingReporter {
    private let rules: [String: Rule]
    private let links: RuleLinks?
    private let folder: String?
    private var failOn = Severity.error
    private var counts: [Severity: Int] = [:]
    private var failing = 0
    private var failures: [String] = []
    private var failureCount = 0
    private var annotationCount = 0
    private var occurrences = OccurrenceCounter()

    /// The largest number of annotations.
    public static let maximumAnnotations = 1000
    private static let maximumSummary = 450
    private static let maximumDetails = 2000
    private static let maximumFailures = 5

    /// - Parameters:
    ///   - rules: The rules that were checked, for the details of the annotations.
    ///   - links: For the `link` of each annotation; nil to leave it out.
    ///   - folder: The absolute path of the folder that paths are relative to; nil to leave absolute ones as they are.
    public init(rules: [Rule] = Rule.all, links: RuleLinks? = nil, folder: String? = nil) {
        self.rules = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
        self.links = links
        self.folder = folder
    }

    public func begin() -> String { "{\"annotations\":[" }

    public mutating func begin(file: String, failOn: Severity) -> String {
        self.failOn = failOn
        return ""
    }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        var text = ""
        for located in findings {
            counts[located.finding.severity, default: 0] += 1
            if located.finding.severity >= failOn { failing += 1 }
            guard annotationCount < BitbucketReporter.maximumAnnotations else { continue }
            text += (annotationCount == 0 ? "\n" : ",\n") + annotation(for: located, in: source)
            annotationCount += 1
        }
        return text
    }

    public mutating func failure(_ message: String, in file: String?) -> String {
        failureCount += 1
        if failures.count < BitbucketReporter.maximumFailures { failures.append(message) }
        return ""
    }

    public func end() -> String {
        let data = Severity.allCases.map { severity in
            "{\"title\":\"\(BitbucketReporter.title(of: severity))\",\"type\":\"NUMBER\",\"value\":\(counts[severity] ?? 0)}"
        }
        return """

            ],
            "report":{"title":"apns validate","reporter":"apns validate","report_type":"BUG",\
            "result":"\(failing + failureCount == 0 ? "PASSED" : "FAILED")",\
            "details":\(JSONWriter.quoted(details)),\
            "data":[\(data.joined(separator: ","))]}}

            """
    }

    private var details: String {
        let total = counts.values.reduce(0, +)
        var sentences: [String] = []
        if total == 0, failureCount == 0 { sentences.append("No findings.") }
        if total > annotationCount {
            sentences.append("The first \(annotationCount) of \(total) findings are annotations.")
        }
        sentences += failures.map { "\($0)." }
        let more = failureCount - failures.count
        if more > 0 { sentences.append("And \(more) more that could not be checked.") }
        if sentences.isEmpty { sentences.append("The push notifications of this commit have findings.") }
        return BitbucketReporter.cut(sentences.joined(separator: "\n"), to: BitbucketReporter.maximumDetails)
    }

    private mutating func annotation(for located: LocatedFinding, in source: SourceText) -> String {
        let finding = located.finding
        let path = FileAddress.path(located.file, in: folder)
        // An annotation replaces an earlier one with the same id.
        let fingerprint = occurrences.unique(Fingerprint(of: located, in: source).combined(with: path))
        let summary = BitbucketReporter.cut(
            "\(finding.message) [\(finding.rule)]", to: BitbucketReporter.maximumSummary)
        let details = rules[finding.rule].map { rule in
            let text = BitbucketReporter.cut(rule.rationale, to: BitbucketReporter.maximumDetails)
            return ",\"details\":\(JSONWriter.quoted(text))"
        }
        let link = links.map { ",\"link\":\(JSONWriter.quoted($0.address(of: finding.rule)))" }
        return """
            {"external_id":"\(fingerprint.text)","annotation_type":"\(finding.layer == .style ? "CODE_SMELL" : "BUG")",\
            "severity":"\(BitbucketReporter.name(of: finding.severity))",\
            "path":\(JSONWriter.quoted(path)),"line":\(located.line),\
            "summary":\(JSONWriter.quoted(summary))\(details ?? "")\(link ?? "")}
            """
    }

    private static func name(of severity: Severity) -> String {
        switch severity {
        case .error: "HIGH"
        case .warning: "MEDIUM"
        case .note: "LOW"
        }
    }

    private static func title(of severity: Severity) -> String {
        switch severity {
        case .error: "Errors"
        case .warning: "Warnings"
        case .note: "Notes"
        }
    }

    /// The text with an ellipsis instead of what is beyond so many UTF-16 units.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf16.count > limit else { return text }
        var rest = text
        while rest.utf16.count >= limit { rest.removeLast() }
        return rest + "…"
    }
}
