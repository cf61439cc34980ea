import APNSPayload
import ArgumentParser
import PayloadLint

/// The formats of the report of `apns validate`.
enum ValidateFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, junit, github, gitlab, bitbucket

    /// Whether what is written about a notification does not depend on those before it.
    var isStateless: Bool { self == .text || self == .json || self == .github }

    var reporter: any FindingReporter { reporter(linkingTo: nil) }

    /// - Parameter isTerminal: Whether a text report is written to a terminal, which shows links as such.
    func reporter(linkingTo links: RuleLinks?, isTerminal: Bool = false) -> any FindingReporter {
        switch self {
        case .text: TextReporter(links: links, hidesAddresses: isTerminal)
        case .json: JSONReporter(links: links)
        case .sarif:
            SARIFReporter(rules: RuleCatalog.all, version: APNSCommand.configuration.version, links: links)
        case .junit: JUnitReporter(links: links)
        case .github: GitHubReporter(links: links)
        case .gitlab: GitLabReporter(links: links)
        case .bitbucket: BitbucketReporter(rules: RuleCatalog.all, links: links)
        }
    }
}
