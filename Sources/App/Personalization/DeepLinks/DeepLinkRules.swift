/// Which links lead to which places of an app. The same rules serve links in decisions, in pushes and from outside.
///
/// ```swift
/// let links = DeepLinkRules(hosts: ["www.example.com"])
/// let outcome = links.outcome(of: "https://www.example.com/p/copper-kettle-7300215.html")
/// ```
///
/// Only `https` links to a listed host lead anywhere. Source: docs/reference/personalization.md 6.
public struct DeepLinkRules: Hashable, Sendable {
    /// Names of hosts without a port, kept in lower case. Sub-domains are hosts of their own.
    public var hosts: Set<String> {
        didSet { hosts = Set(hosts.map { $0.lowercased() }) }
    }
    /// The first one that fits counts.
    public var rules: [DeepLinkRule]
    /// Fields of an item that name a thing directly, in the order in which they are tried, before any link.
    public var fields: [DeepLinkField]
    /// Fields of an item that contain a link, in the order in which they are tried.
    public var linkFields: [String]

    public init(
        hosts: Set<String> = [], rules: [DeepLinkRule] = DeepLinkRule.standard,
        fields: [DeepLinkField] = [DeepLinkField("ssot__ProductSKU__c", .product)],
        linkFields: [String] = ["PurchaseUrl__c"]
    ) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.rules = rules
        self.fields = fields
        self.linkFields = linkFields
    }

    /// What to do with a link.
    public func outcome(of link: String) -> DeepLinkOutcome {
        let parts: LinkParts
        do throws(DeepLinkRefusal) { parts = try LinkParts(link) } catch { return .refused(error) }
        guard hosts.contains(parts.host) else { return .outside }
        for rule in rules {
            guard let value = rule.value(parts) else { continue }
            let campaign = parts.parameters.filter { $0.key.hasPrefix("utm_") }
            return .route(DeepLinkRoute(rule.kind, value, campaign: campaign))
        }
        return .outside
    }

    /// What to do with an item of a decision: a field that names the thing counts before a link. Nil if it has neither.
    ///
    /// - Parameter field: The text of a field, or nil.
    public func outcome(ofItem field: (String) -> String?) -> DeepLinkOutcome? {
        for entry in fields {
            guard let value = field(entry.name), DeepLinkField.isUsable(value) else { continue }
            return .route(DeepLinkRoute(entry.kind, value))
        }
        for name in linkFields {
            guard let link = field(name), !link.isEmpty else { continue }
            return outcome(of: link)
        }
        return nil
    }

    /// The paths for the file `apple-app-site-association` of each host: `["/p/*", …]`.
    public var associatedPaths: [String] {
        rules.map { "/" + ($0.prefix + ["*"]).joined(separator: "/") }
    }
}

/// A field of an item that names a thing directly.
public struct DeepLinkField: Hashable, Sendable {
    public var name: String
    public var kind: DeepLinkRoute.Kind

    public init(_ name: String, _ kind: DeepLinkRoute.Kind) {
        self.name = name
        self.kind = kind
    }

    static func isUsable(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 256 && LinkParts.staysPlain(value)
    }
}

/// A form of link, and what it leads to.
public struct DeepLinkRule: Hashable, Sendable {
    /// How the value is taken out of the link.
    public enum Value: Hashable, Sendable {
        /// The digits at the end of the last part of the path, before this suffix.
        case digits(before: String)
        /// All parts of the path after the prefix, separated by `/`.
        case path
        /// The only part of the path after the prefix.
        case name
        /// A parameter of the query.
        case parameter(String)
    }

    public var kind: DeepLinkRoute.Kind
    /// The parts with which the path begins.
    public var prefix: [String]
    public var value: Value

    public init(_ kind: DeepLinkRoute.Kind, after prefix: [String], _ value: Value) {
        self.kind = kind
        self.prefix = prefix
        self.value = value
    }

    /// `/p/…7300215.html`, `/c/kitchen/kettles` and `/articles/how-to-descale`.
    public static let standard = [
        DeepLinkRule(.product, after: ["p"], .digits(before: ".html")),
        DeepLinkRule(.category, after: ["c"], .path),
        DeepLinkRule(.article, after: ["articles"], .name),
    ]

    /// Nil if the rule does not fit.
    func value(_ parts: LinkParts) -> String? {
        guard parts.path.starts(with: prefix) else { return nil }
        let rest = parts.path.dropFirst(prefix.count)
        switch value {
        case .digits(let suffix):
            guard let last = rest.last, last.hasSuffix(suffix) else { return nil }
            let digits = last.dropLast(suffix.count).reversed().prefix { $0.isASCII && $0.isNumber }
            return (1...32).contains(digits.count) ? String(digits.reversed()) : nil
        case .path: return rest.isEmpty ? nil : rest.joined(separator: "/")
        case .name: return rest.count == 1 ? rest.first : nil
        case .parameter(let name):
            guard let value = parts.parameters[name], DeepLinkField.isUsable(value) else { return nil }
            return value
        }
    }
}
