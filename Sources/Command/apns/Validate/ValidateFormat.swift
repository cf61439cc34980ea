import APNSPayload
import ArgumentParser
import PayloadLint

/// The formats of the report of `apns validate`.
enum ValidateFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, junit, github, gitlab

    /// Whether what is written about a notification does not depend on those before it.
    var isStateless: Bool { self == .text || self == .json || self == .github }

    var reporter: any FindingReporter { reporter(.plain) }

    /// - Parameter style: For the text form, which a person reads.
    func reporter(_ style: Style) -> any FindingReporter {
        switch self {
        case .text: style.isColoured ? ColouredReporter(style) : TextReporter()
        case .json: JSONReporter()
        case .sarif: SARIFReporter(rules: RuleCatalog.all, version: APNSCommand.configuration.version)
        case .junit: JUnitReporter()
        case .github: GitHubReporter()
        case .gitlab: GitLabReporter()
        }
    }
}
