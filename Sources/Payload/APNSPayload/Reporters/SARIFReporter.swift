import APNSModel
import PayloadJSON

/// Reports findings as SARIF 2.1.0 with rules, help texts, regions and fixes. GitHub code scanning and many editors
/// read it.
public struct SARIFReporter: FindingReporter {
    private let rules: [Rule]
    private let positions: [String: Int]
    private let version: String
    private let links: RuleLinks?
    private var isEmpty = true
    private var occurrences = OccurrenceCounter()
    private var failures: [String] = []
    private var failureCount = 0

    private static let maximumFailures = 1000

    /// - Parameters:
    ///   - rules: The rules that were checked.
    ///   - version: The version of the tool.
    ///   - links: For the `helpUri` of the rules; nil for that of their sources.
    public init(rules: [Rule] = Rule.all, version: String, links: RuleLinks? = nil) {
        self.rules = rules
        self.version = version
        self.links = links
        positions = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    public func begin() -> String {
        """
        {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
        "tool":{"driver":{"name":"apns validate","semanticVersion":\(JSONWriter.quoted(version)),"rules":[
        \(rules.map { object(for: $0) }.joined(separator: ",\n"))
        ]}},
        "columnKind":"unicodeCodePoints",
        "results":[
        """
    }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        findings.map { located in
            defer { isEmpty = false }
            return (isEmpty ? "\n" : ",\n") + object(for: located, in: source)
        }.joined()
    }

    public mutating func failure(_ message: String, in file: String?) -> String {
        failureCount += 1
        if failures.count < SARIFReporter.maximumFailures {
            let place = file.map { ",\"locations\":[{\"physicalLocation\":{\(SARIFReporter.artifact($0))}}]" } ?? ""
            failures.append("{\"level\":\"error\",\"message\":{\"text\":\(JSONWriter.quoted(message))}\(place)}")
        }
        return ""
    }

    public func end() -> String {
        """

        ],
        "invocations":[{"executionSuccessful":\(failureCount == 0),"toolExecutionNotifications":[
        \(failures.joined(separator: ",\n"))
        ]}]
        }]}

        """
    }

    private func object(for rule: Rule) -> String {
        let help = """
            \(rule.rationale)

            Source: \(rule.source)
            """
        let markdown = """
            **\(rule.summary)** \(rule.rationale)

            Source: \(rule.source.hasPrefix("https://") ? "<\(rule.source)>" : rule.source)

            Layer: \(rule.layer.rawValue)\(rule.refusal.map { "; APNs answers `\($0.code)`" } ?? "")

            """
        let source = rule.source.hasPrefix("https://") ? rule.source : nil
        let address = (links?.address(of: rule.id) ?? source).map { ",\"helpUri\":\(JSONWriter.quoted($0))" } ?? ""
        return """
            {"id":\(JSONWriter.quoted(rule.id)),"shortDescription":{"text":\(JSONWriter.quoted(rule.summary))},\
            "fullDescription":{"text":\(JSONWriter.quoted(rule.rationale))},\
            "help":{"text":\(JSONWriter.quoted(help)),"markdown":\(JSONWriter.quoted(markdown))}\(address),\
            "defaultConfiguration":{"level":"\(rule.severity.rawValue)"},\
            "properties":{"tags":["apns","\(rule.layer.rawValue)"],"precision":"high"}}
            """
    }

    private mutating func object(for located: LocatedFinding, in source: SourceText) -> String {
        let finding = located.finding
        let fingerprint = Fingerprint(of: located, in: source)
        let count = occurrences.next(fingerprint.combined(with: located.file))
        let rule = positions[finding.rule].map { ",\"ruleIndex\":\($0)" } ?? ""
        let logical = located.pointer.map {
            ",\"logicalLocations\":[{\"fullyQualifiedName\":\(JSONWriter.quoted($0))}]"
        }
        return """
            {"ruleId":\(JSONWriter.quoted(finding.rule))\(rule),"level":"\(finding.severity.rawValue)",\
            "message":{"text":\(JSONWriter.quoted(finding.message))},\
            "locations":[{"physicalLocation":{\(SARIFReporter.artifact(located.file)),\
            "region":\(region(of: located, in: source))}\(logical ?? "")}],\
            "partialFingerprints":{"apnsValidate/v1":"\(fingerprint.text):\(count + 1)"}\
            \(fixes(of: located, in: source)),"properties":{"layer":"\(finding.layer.rawValue)"}}
            """
    }

    /// Includes byte offsets if the source is a whole file. In a stream they would count from the beginning of the
    /// line.
    private func region(of located: LocatedFinding, in source: SourceText) -> String {
        let range = located.fileRange
        let bytes = source.isLines ? "" : ",\"byteOffset\":\(range.lowerBound),\"byteLength\":\(range.count)"
        return """
            {"startLine":\(located.line),"startColumn":\(located.column),"endLine":\(located.endLine),\
            "endColumn":\(located.endColumn)\(bytes)}
            """
    }

    private func fixes(of located: LocatedFinding, in source: SourceText) -> String {
        guard let title = located.fixTitle, !located.edits.isEmpty else { return "" }
        let lines = LineIndex(source.bytes)
        let replacements = located.edits.map { edit in
            let (start, end) = (lines.location(of: edit.range.lowerBound), lines.location(of: edit.range.upperBound))
            let text = JSONWriter.quoted(String(decoding: edit.replacement, as: UTF8.self))
            return """
                {"deletedRegion":{"startLine":\(source.firstLine + start.line - 1),"startColumn":\(start.column),\
                "endLine":\(source.firstLine + end.line - 1),"endColumn":\(end.column)},\
                "insertedContent":{"text":\(text)}}
                """
        }
        return """
            ,"fixes":[{"description":{"text":\(JSONWriter.quoted(title))},"artifactChanges":[{\
            \(SARIFReporter.artifact(located.file)),"replacements":[\(replacements.joined(separator: ","))]}]}]
            """
    }

    private static func artifact(_ file: String) -> String {
        let base = file.hasPrefix("/") ? "" : ",\"uriBaseId\":\"%SRCROOT%\""
        return "\"artifactLocation\":{\"uri\":\(JSONWriter.quoted(FileAddress.uri(file)))\(base)}"
    }
}
