/// Reports findings as workflow commands, which GitHub Actions shows beside the changed lines.
public struct GitHubReporter: FindingReporter {
    private let links: RuleLinks?

    /// - Parameter links: For an address in a second line of each annotation; nil to leave it out.
    public init(links: RuleLinks? = nil) {
        self.links = links
    }

    public func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        findings.map { command(for: $0) + "\n" }.joined()
    }

    public func failure(_ message: String, in file: String?) -> String {
        let place = file.map { " file=\(GitHubReporter.property(FileAddress.path($0)))" } ?? ""
        return "::error\(place)::\(GitHubReporter.data(message))\n"
    }

    private func command(for located: LocatedFinding) -> String {
        let finding = located.finding
        var place = "file=\(GitHubReporter.property(FileAddress.path(located.file))),line=\(located.line)"
        if located.endLine == located.line {
            // The last column of the finding, not the column after it.
            place += ",col=\(located.column),endColumn=\(max(located.endColumn - 1, located.column))"
        } else {
            place += ",endLine=\(located.endLine),col=\(located.column)"
        }
        let title = GitHubReporter.property(finding.rule)
        let message = finding.message + (links.map { "\n" + $0.address(of: finding.rule) } ?? "")
        return "::\(GitHubReporter.name(of: finding.severity)) \(place),title=\(title)::\(GitHubReporter.data(message))"
    }

    private static func name(of severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
    }

    private static func data(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: nil
            }
        }
    }

    private static func property(_ text: String) -> String {
        escaped(data(text)) { scalar in
            switch scalar {
            case ":": "%3A"
            case ",": "%2C"
            default: nil
            }
        }
    }

    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar) {
                escaped += escape.unicodeScalars
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
