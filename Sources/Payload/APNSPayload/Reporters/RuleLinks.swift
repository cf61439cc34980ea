/// The address of a page with all rules, such as `docs/rules.html`, for links from findings to their rules.
public struct RuleLinks: Hashable, Sendable {
    private let page: String

    /// Fails unless `page` is an address with the scheme https, http or file, without a fragment, of printable ASCII only.
    public init?(_ page: String) {
        let schemes = ["https://", "http://", "file:///"]
        guard schemes.contains(where: { page.hasPrefix($0) && page.utf8.count > $0.utf8.count }),
            page.utf8.allSatisfy({ 0x21..<0x7F ~= $0 && !RuleLinks.unusable.contains($0) })
        else { return nil }
        self.page = page
    }

    /// A page in a file; fails for a path that is not absolute.
    package init?(file path: String) {
        guard path.hasPrefix("/") else { return nil }
        self.init(FileAddress.uri(path))
    }

    /// The address of a rule on the page.
    public func address(of rule: String) -> String { page + "#" + rule }

    private static let unusable = Set("#\"<>\\^`{|}".utf8)
}
