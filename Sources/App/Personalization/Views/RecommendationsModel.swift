/// The items of a decision in a row or a list, for views that know only an index.
///
/// An index without an item is ignored: a list may have changed since a view was made.
public struct RecommendationsModel: Sendable {
    /// The decision as it is shown.
    public let decision: Decision
    private let reporter: EngagementReporter
    private let links: DeepLinkRules
    private let contents: [EngagementContent?]

    public init(_ decision: Decision, reporter: EngagementReporter, links: DeepLinkRules = DeepLinkRules()) {
        self.decision = decision
        self.reporter = reporter
        self.links = links
        contents = decision.items.indices.map { decision.engagement(withItem: $0) }
    }

    public var count: Int { decision.items.count }

    /// What engagement with an item carries; nil for the app's own content.
    public func content(at index: Int) -> EngagementContent? {
        contents.indices.contains(index) ? contents[index] : nil
    }

    /// The view of an item came on the screen.
    public func appeared(at index: Int) { reporter.appeared(content(at: index)) }

    /// - Returns: Where the item leads; nil if it has neither an id nor a link.
    @discardableResult
    public func tapped(at index: Int) -> DeepLinkOutcome? {
        guard decision.items.indices.contains(index) else { return nil }
        reporter.tapped(content(at: index))
        return links.outcome { decision.items[index][$0] }
    }

    public func dismissed(at index: Int) { reporter.dismissed(content(at: index)) }
}
