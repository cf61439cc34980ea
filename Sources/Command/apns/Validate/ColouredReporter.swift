import APNSPayload

/// The text form of the report for a terminal: place, severity and carets in colour, and rule ids as links.
struct ColouredReporter: FindingReporter {
    private var inner: TextReporter
    private let style: Style

    /// - Parameter links: Where the pages of the rules are; nil for rule ids that are not links.
    init(_ style: Style, links: RuleLinks? = nil) {
        self.style = style
        inner = TextReporter(links: links, hidesAddresses: true)
    }

    mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        findings.map { colour(inner.report([$0], in: source), $0) }.joined()
    }

    /// - Parameter text: The line of the finding, and where there is one the source line with the line of carets below it.
    private func colour(_ text: String, _ located: LocatedFinding) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = "\(located.file):\(located.line):\(located.column): "
        let severity = located.finding.severity
        // A name with control characters is shown in another form, and stays plain.
        if let head = lines.first, head.hasPrefix(place + severity.rawValue) {
            lines[0] =
                style.strong(place) + style.severity(severity) + head.dropFirst(place.count + severity.rawValue.count)
        }
        if lines.count > 2, lines[2].hasSuffix("^") {
            let indent = lines[2].prefix { $0 == " " }
            lines[2] = indent + style.good(String(lines[2].dropFirst(indent.count)))
        }
        return lines.joined(separator: "\n")
    }
}
