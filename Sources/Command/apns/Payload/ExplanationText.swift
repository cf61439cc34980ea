import APNSPayload
import PayloadGuide

/// Explanations for people: parts with titles, wrapped to the terminal.
struct ExplanationText {
    let style: Style
    /// The columns of the terminal; nil does not wrap.
    let width: Int?
    private var isFirst = true

    init(style: Style = .plain, width: Int? = nil) { (self.style, self.width) = (style, width) }

    /// With line ends, and an empty line before all but the first.
    mutating func text(of explained: NotificationExplainer.Explained, in source: SourceText) -> String {
        let place = source.isLines ? "\(source.name):\(source.firstLine)" : source.name
        var text = isFirst ? "" : "\n"
        isFirst = false
        text += style.strong(PlainText.safe("\(place): \(explained.explanation.summary)")) + "\n"
        for section in explained.explanation.sections {
            text += "\n" + style.strong(section.title) + "\n"
            for line in section.lines {
                let label = line.label.isEmpty ? "" : "\(line.label): "
                text += wrapped(PlainText.safe(label + line.text))
            }
        }
        if !explained.findings.isEmpty {
            text += "\n" + style.strong("Findings") + "\n"
            for finding in explained.findings {
                let severity = style.severity(finding.severity)
                text += wrapped(PlainText.safe("\(finding.severity.rawValue): \(finding.message) [\(finding.rule)]"))
                    .replacing("- \(finding.severity.rawValue):", with: "- \(severity):", maxReplacements: 1)
            }
            text += wrapped("apns validate shows their places; apns rules ID explains a rule.")
        }
        return text
    }

    /// The lines of an item.
    private func wrapped(_ text: String) -> String {
        let lines = WrappedText.lines(of: text, width: width.map { max($0 - 4, 24) })
        return "  - " + lines.joined(separator: "\n    ") + "\n"
    }
}

extension Style {
    /// The word of a severity in its colour.
    func severity(_ severity: Severity) -> String {
        switch severity {
        case .error: bad(severity.rawValue)
        case .warning: doubtful(severity.rawValue)
        case .note: severity.rawValue
        }
    }
}
