public import PushDispatch

/// A link to an entry or an asset: `{"sys":{"type":"Link","linkType":"Entry","id":"…"}}`.
public struct EntryLink: Hashable, Sendable, CustomStringConvertible {
    /// `Entry` or `Asset`.
    public var linkType: String
    public var id: String

    public init(linkType: String = "Entry", id: String) {
        self.linkType = linkType
        self.id = id
    }

    /// Nil for everything that is not a link to an entry or an asset, such as the link of `sys` to its content type.
    public init?(_ value: JSONValue) {
        guard case .object(let members) = value, members.count == 1, case .object(let sys)? = members["sys"],
            sys["type"] == "Link", case .string(let linkType)? = sys["linkType"], case .string(let id)? = sys["id"],
            !id.isEmpty, linkType == "Entry" || linkType == "Asset"
        else { return nil }
        self.init(linkType: linkType, id: id)
    }

    public var description: String { "\(linkType.inMessage) \(id.inMessage)" }
}

/// A link that is still a link after links were replaced.
public struct UnreplacedLink: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The entry is neither in `items` nor in `includes`.
        case unknown
        /// It is further than 10 links away, usually because links form a cycle.
        case tooDeep
        /// With it the entry would have more values, or be nested deeper, than is allowed.
        case tooLarge
    }

    public var link: EntryLink
    public var reason: Reason

    public init(_ link: EntryLink, _ reason: Reason) {
        self.link = link
        self.reason = reason
    }

    public var description: String {
        switch reason {
        case .unknown: "\(link) is in neither items nor includes; it is not published, or beyond include=10"
        case .tooDeep: "\(link) is more than \(LinkReplacer.maximumLevels) links away, or links to itself"
        case .tooLarge: "\(link) makes its entry too large; ask for fewer levels"
        }
    }
}
