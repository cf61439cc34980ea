import PayloadJSON

/// Reports findings as a Code Quality report of GitLab: a JSON array with one object for each finding.
public struct GitLabReporter: FindingReporter {
    private var isEmpty = true
    private var occurrences = OccurrenceCounter()

    private let links: RuleLinks?
    private let folder: String?

    /// - Parameters:
    ///   - links: For the text about each finding; nil to leave it out.
    ///   - folder: The absolute path of the folder that paths are relative to; nil to leave absolute ones as they are.
    public init(links: RuleLinks? = nil, folder: String? = nil) {
        self.links = links
        self.folder = folder
    }

    public func begin() -> String { "[" }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        findings.map { located in
            defer { isEmpty = false }
            return (isEmpty ? "\n" : ",\n") + object(for: located, in: source)
        }.joined()
    }

    public func end() -> String { "\n]\n" }

    private mutating func object(for located: LocatedFinding, in source: SourceText) -> String {
        let finding = located.finding
        let path = FileAddress.path(located.file, in: folder)
        // GitLab drops a finding with the fingerprint of another one.
        let fingerprint = occurrences.unique(Fingerprint(of: located, in: source).combined(with: path))
        let content = links.map {
            ",\"content\":{\"body\":\(JSONWriter.quoted("[\(finding.rule)](\($0.address(of: finding.rule)))"))}"
        }
        return """
            {"description":\(JSONWriter.quoted(finding.message)),"check_name":\(JSONWriter.quoted(finding.rule)),\
            "fingerprint":"\(fingerprint.text)","severity":"\(GitLabReporter.name(of: finding.severity))",\
            "categories":["\(finding.layer == .style ? "Style" : "Bug Risk")"],\
            "location":{"path":\(JSONWriter.quoted(path)),"lines":{"begin":\(located.line),"end":\(located.endLine)}}\(content ?? "")}
            """
    }

    private static func name(of severity: Severity) -> String {
        switch severity {
        case .error: "critical"
        case .warning: "minor"
        case .note: "info"
        }
    }
}
