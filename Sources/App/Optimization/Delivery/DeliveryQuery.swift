import Foundation

/// What is asked of the delivery service.
public struct DeliveryQuery: Hashable, Sendable {
    /// Nil for entries of all types.
    public var contentType: String?
    /// One entry; nil for all.
    public var entryID: String?
    /// One locale: entries for all locales at once would not resolve. Nil for the space's default one.
    public var locale: String?
    /// More parameters, such as `fields.slug`; they cannot replace those of the query itself.
    public var parameters: [String: String]

    public init(
        contentType: String? = nil, entryID: String? = nil, locale: String? = nil, parameters: [String: String] = [:]
    ) {
        self.contentType = contentType
        self.entryID = entryID
        self.locale = locale
        self.parameters = parameters
    }

    /// Ten levels of links come along, the most that the service allows.
    static let include = 10

    /// `locale=*` would give maps by locale.
    var isForOneLocale: Bool { locale != "*" && parameters["locale"] == nil }

    func items(skip: Int, limit: Int) -> [URLQueryItem] {
        var items = [
            "include": String(DeliveryQuery.include), "skip": String(skip), "limit": String(limit),
        ]
        if let contentType { items["content_type"] = contentType }
        if let entryID { items["sys.id"] = entryID }
        if let locale { items["locale"] = locale }
        items.merge(parameters) { own, _ in own }
        return items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }

    /// The same for equal queries.
    var cacheKey: String {
        items(skip: 0, limit: 0).map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    }
}

/// Where entries are.
public struct DeliveryConfiguration: Hashable, Sendable {
    /// With `https`; plain `http` only to this machine, for a simulated service.
    public var baseURL: String
    public var space: String
    public var environment: String
    public var accessToken: String
    /// Entries of one request, at most 1,000.
    public var pageSize = 100
    /// More entries of one query are not fetched.
    public var maximumEntries = 10_000
    public var maximumReplyBytes = DeliveryReply.maximumBytes
    /// The limit for one request.
    public var requestMilliseconds: Int64 = 10_000
    /// How often a request is repeated that the service puts off with 429, after the pause that it asks for.
    public var maximumRepeats = 3
    /// The longest pause that is waited for.
    public var maximumPauseMilliseconds: Int64 = 10_000

    public init(
        baseURL: String = "https://cdn.contentful.com", space: String, environment: String = "master",
        accessToken: String
    ) {
        self.baseURL = baseURL
        self.space = space
        self.environment = environment
        self.accessToken = accessToken
    }
}

/// Why there are no entries.
public struct DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The query, the address or the configuration is wrong.
        case configuration
        /// There is no such space, environment or entry.
        case notFound
        case accessTokenInvalid
        /// Too many requests; see ``DeliveryError/retryAfterMilliseconds``.
        case rateLimitExceeded
        /// Another error of the service, with its id.
        case service(String)
        case network
        /// The reply cannot be read.
        case replyInvalid
        case cancelled
    }

    public var kind: Kind
    /// What is wrong and what to do.
    public var detail: String
    public var status: Int?
    /// The service's id of the request, for its support.
    public var requestID: String?
    public var retryAfterMilliseconds: Int64?

    public init(
        _ kind: Kind, _ detail: String, status: Int? = nil, requestID: String? = nil,
        retryAfterMilliseconds: Int64? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.status = status
        self.requestID = requestID
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String { requestID.map { "\(detail) (request \($0.inMessage))" } ?? detail }

    /// Whether entries of before may be shown instead: the service cannot be reached or is overloaded, but has not refused.
    var allowsCached: Bool {
        switch kind {
        case .network, .rateLimitExceeded, .replyInvalid: true
        case .service: (status ?? 0) >= 500
        case .configuration, .notFound, .accessTokenInvalid, .cancelled: false
        }
    }
}
