/// A place in the app that a link leads to.
public struct DeepLinkRoute: Hashable, Sendable {
    /// Not an enum, because an app has places of its own.
    public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public init(stringLiteral value: String) { rawValue = value }

        public var description: String { rawValue }

        /// The value is the product's id.
        public static let product: Kind = "product"
        /// The value is a path such as `kitchen/kettles`.
        public static let category: Kind = "category"
        /// The value is the article's name in the URL.
        public static let article: Kind = "article"
    }

    public var kind: Kind
    /// Percent-decoded once. It comes from outside: an app looks it up, and does not use it as a path of a file.
    public var value: String
    /// The parameters of the link that begin with `utm_`, such as `utm_campaign`.
    public var campaign: [String: String]

    public init(_ kind: Kind, _ value: String, campaign: [String: String] = [:]) {
        self.kind = kind
        self.value = value
        self.campaign = campaign
    }
}

/// What an app does with a link.
public enum DeepLinkOutcome: Hashable, Sendable {
    /// Show this place.
    case route(DeepLinkRoute)
    /// An `https` link that no rule knows. An app may offer to open it in a browser.
    case outside
    /// Do nothing.
    case refused(DeepLinkRefusal)

    /// Nil if there is none.
    public var route: DeepLinkRoute? {
        if case .route(let route) = self { route } else { nil }
    }
}

/// Why a link is not followed.
public enum DeepLinkRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Not `https`.
    case scheme
    /// Not a URL, or with characters that readers of URLs understand differently.
    case malformed
    /// A user name or a password before the host.
    case credentials
    /// Another port than 443.
    case port
    /// `.`, `..`, or an encoded separator in the path.
    case path
    /// Percent-encoding that is not one, or not of UTF-8.
    case encoding
    /// Longer than 2,048 bytes.
    case tooLong
}
