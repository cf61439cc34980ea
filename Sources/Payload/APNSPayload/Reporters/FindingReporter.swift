/// Writes findings in one report format, piece by piece, so that a report can be larger than memory.
public protocol FindingReporter: Sendable {
    /// Whether notifications without findings are reported as well.
    var listsClean: Bool { get }

    /// The beginning of the report.
    mutating func begin() -> String
    /// Called before the findings of a file.
    ///
    /// - Parameter failOn: The lowest severity that counts as a failure in this file.
    mutating func begin(file: String, failOn: Severity) -> String
    /// The findings about one notification, with line ends.
    mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String
    /// Appends the same as UTF-8. Without an implementation it appends what `report` returns.
    mutating func append(_ findings: [LocatedFinding], in source: SourceText, to bytes: inout [UInt8])
    /// The report of something that could not be checked. `message` is a sentence.
    mutating func failure(_ message: String, in file: String?) -> String
    /// The end of the report.
    mutating func end() -> String
}

extension FindingReporter {
    public var listsClean: Bool { false }
    public func begin() -> String { "" }
    public func begin(file: String, failOn: Severity) -> String { "" }
    public mutating func append(_ findings: [LocatedFinding], in source: SourceText, to bytes: inout [UInt8]) {
        bytes += report(findings, in: source).utf8
    }
    public func failure(_ message: String, in file: String?) -> String { "" }
    public func end() -> String { "" }
}
