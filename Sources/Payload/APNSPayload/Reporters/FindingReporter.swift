/// Writes findings in one of the forms of reports, piece by piece as they come, so that a report may be longer than memory.
public protocol FindingReporter: Sendable {
    /// Whether notifications without findings are to be reported too.
    var listsClean: Bool { get }

    /// What stands before everything else.
    mutating func begin() -> String
    /// Called before what is reported about a file.
    ///
    /// - Parameter failOn: The least severity that counts in it.
    mutating func begin(file: String, failOn: Severity) -> String
    /// The findings about one notification, each piece with its line end.
    mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String
    /// Something that could not be looked at, in a sentence.
    mutating func failure(_ message: String, in file: String?) -> String
    /// What stands behind everything else.
    mutating func end() -> String
}

extension FindingReporter {
    public var listsClean: Bool { false }
    public func begin() -> String { "" }
    public func begin(file: String, failOn: Severity) -> String { "" }
    public func failure(_ message: String, in file: String?) -> String { "" }
    public func end() -> String { "" }
}
