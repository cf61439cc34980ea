package import APNSPayload
import PayloadJSON

/// Writes a baseline, one finding at a time.
package struct BaselineWriter: Sendable {
    package private(set) var count = 0

    package init() {}

    package func begin() -> String { "{\"\(Baseline.formatKey)\":1,\"findings\":[" }

    /// - Parameter file: Relative to the folder of the baseline.
    package mutating func entry(for located: LocatedFinding, in source: SourceText, file: String) -> String {
        defer { count += 1 }
        let finding = located.finding
        return """
            \(count == 0 ? "" : ",")
            {"file":\(JSONWriter.quoted(file)),"rule":\(JSONWriter.quoted(finding.rule)),\
            "fingerprint":"\(Fingerprint(of: located, in: source).text)","message":\(JSONWriter.quoted(finding.message))}
            """
    }

    package func end() -> String { "\n]}\n" }
}
