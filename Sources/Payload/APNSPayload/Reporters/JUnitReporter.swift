/// Reports findings as a JUnit test report: a suite for each file, a test case for each notification.
///
/// Findings of the severity `failOn` or higher are a failure, others are output of the test case. The report has no
/// counts, because it is written before they are known; readers count the test cases.
public struct JUnitReporter: FindingReporter {
    public var listsClean: Bool { true }
    private var failOn = Severity.error
    private var openFile: String?

    private let links: RuleLinks?

    /// - Parameter links: For an address below each finding; nil to leave it out.
    public init(links: RuleLinks? = nil) {
        self.links = links
    }

    public func begin() -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"apns validate\">\n"
    }

    public mutating func begin(file: String, failOn: Severity) -> String {
        self.failOn = failOn
        return suite(file)
    }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        let name = source.isLines ? "line \(source.firstLine)" : "payload"
        let failures = findings.filter { $0.finding.severity >= failOn }
        let others = findings.filter { $0.finding.severity < failOn }
        var text = suite(source.name) + JUnitReporter.testCase(name, file: source.name, line: source.firstLine)
        guard !findings.isEmpty else { return text + "/>\n" }
        text += ">\n"
        if let first = failures.first?.finding {
            let more = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
            text += "      <failure type=\"\(JUnitReporter.attribute(first.rule))\" "
            text += "message=\"\(JUnitReporter.attribute(first.message + more))\">"
            text += lines(failures) + "</failure>\n"
        }
        if !others.isEmpty { text += "      <system-out>\(lines(others))</system-out>\n" }
        return text + "    </testcase>\n"
    }

    public mutating func failure(_ message: String, in file: String?) -> String {
        let file = file ?? openFile ?? "apns validate"
        return suite(file) + JUnitReporter.testCase("read", file: file, line: 1)
            + ">\n      <error message=\"\(JUnitReporter.attribute(message))\"/>\n    </testcase>\n"
    }

    public mutating func end() -> String { closeSuite() + "</testsuites>\n" }

    private mutating func suite(_ file: String) -> String {
        guard openFile != file else { return "" }
        defer { openFile = file }
        return closeSuite() + "  <testsuite name=\"\(JUnitReporter.attribute(file))\">\n"
    }

    private mutating func closeSuite() -> String {
        defer { openFile = nil }
        return openFile == nil ? "" : "  </testsuite>\n"
    }

    private static func testCase(_ name: String, file: String, line: Int) -> String {
        let file = attribute(file)
        return "    <testcase name=\"\(name)\" classname=\"\(file)\" file=\"\(file)\" line=\"\(line)\""
    }

    private func lines(_ findings: [LocatedFinding]) -> String {
        findings.map { located in
            let link = links.map { "\n  " + $0.address(of: located.finding.rule) } ?? ""
            let place = "\(located.file):\(located.line):\(located.column)"
            return "\n" + JUnitReporter.text("\(place): \(located.finding)\(link)")
        }.joined() + "\n      "
    }

    private static func attribute(_ string: String) -> String {
        var escaped = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            default: escaped += text(scalar)
            }
        }
        return escaped
    }

    private static func text(_ string: String) -> String {
        string.unicodeScalars.map { text($0) }.joined()
    }

    /// XML 1.0 cannot represent control characters.
    private static func text(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\n", "\t": String(scalar)
        default: scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : String(scalar)
        }
    }
}
