import APNSPayload
import ArgumentParser
import PayloadLint

/// The formats of the report of `apns validate`.
enum ValidateFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, junit, github, gitlab, bitbucket

    /// Whether what is written about a notification does not depend on those before it.
    var isStateless: Bool { self == .text || self == .json || self == .github }

    var reporter: any FindingReporter { reporter(.plain) }

    /// - Parameters:
    ///   - style: For the text form, which a person reads.
    ///   - links: Where the pages of the rules are; nil for reports without links.
    func reporter(_ style: Style, linkingTo links: RuleLinks? = nil) -> any FindingReporter {
        switch self {
        case .text: style.isColoured ? ColouredReporter(style, links: links) : TextReporter(links: links)
        case .json: JSONReporter(links: links)
        case .sarif:
            SARIFReporter(rules: RuleCatalog.all, version: APNSCommand.configuration.version, links: links)
        case .junit: JUnitReporter(links: links)
        case .github: GitHubReporter(links: links)
        case .gitlab: GitLabReporter(links: links, folder: System.currentFolder)
        case .bitbucket: BitbucketReporter(rules: RuleCatalog.all, links: links, folder: System.currentFolder)
        }
    }
}
