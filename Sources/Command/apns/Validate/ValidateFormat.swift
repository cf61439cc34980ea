import APNSPayload
import ArgumentParser
import PayloadLint

/// The formats of the report of `apns validate`.
enum ValidateFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, junit, github, gitlab

    var reporter: any FindingReporter {
        switch self {
        case .text: TextReporter()
        case .json: JSONReporter()
        case .sarif: SARIFReporter(rules: RuleCatalog.all, version: APNSCommand.configuration.version)
        case .junit: JUnitReporter()
        case .github: GitHubReporter()
        case .gitlab: GitLabReporter()
        }
    }
}
