public import Foundation

/// Where decisions come from, and the limits of asking for them.
public struct DecisionConfiguration: Hashable, Sendable {
    /// The tenant's address: `https`, a host, and nothing else. Plain `http` is accepted only for the local machine.
    public var endpoint: URL
    public var path = "/personalization/decisions"
    /// The profile graph that each point reads, by the point's name. A point that is not named reads ``defaultGraph``. The
    /// service skips points of another graph than the first one's, so each graph gets a request of its own.
    public var graphs: [String: String] = [:]
    public var defaultGraph = "main"
    /// The app's own content by point. Nil: without an answer and a cached reply a fetch throws. Not nil: it then returns
    /// what there is, and nothing for the other points.
    public var defaults: [String: DefaultContent]?
    /// How long a fetch waits, if it does not say; more than 0 and at most
    /// ``maximumWaitMilliseconds``.
    public var timeoutMilliseconds: Int64 = 10_000
    /// After this time a request is given up. A reply after the timeout of its fetch, and before this, refreshes the cache.
    public var requestMilliseconds: Int64 = 60_000
    /// The wait after 503 without `Retry-After`: the service has not loaded its set-up.
    public var unavailablePauseMilliseconds: Int64 = 30_000
    /// The wait after 429 without `Retry-After`: the service counts requests by the minute.
    public var busyPauseMilliseconds: Int64 = 60_000
    /// Requests at a time; more fail, or get a cached reply.
    public var maximumRequests = 16
    public var maximumReplyBytes = 4_194_304
    public var cache = DecisionCacheLimits()

    public init(endpoint: URL) { self.endpoint = endpoint }

    /// The longest timeout of a fetch; a longer one is taken as this.
    public static let maximumWaitMilliseconds: Int64 = 300_000
    /// The longest pause that the service can ask for; a longer one is taken as this.
    public static let maximumPauseMilliseconds: Int64 = 3_600_000

    /// How long a fetch waits.
    ///
    /// - Parameter milliseconds: What the fetch says; nil for ``timeoutMilliseconds``.
    /// - Throws: `requestInvalid` for a time that is not positive.
    func timeout(_ milliseconds: Int64?) throws(DecisionError) -> Int64 {
        let timeout = milliseconds ?? timeoutMilliseconds
        guard timeout > 0 else {
            throw .invalid(
                "the timeout of \(milliseconds == nil ? "the configuration" : "the fetch") is not positive; give a number of "
                    + "milliseconds from 1 on")
        }
        return min(timeout, DecisionConfiguration.maximumWaitMilliseconds)
    }

    func graph(of point: String) -> String { graphs[point] ?? defaultGraph }

    /// The address of the requests.
    ///
    /// - Throws: `requestInvalid` for an address that is not secure.
    func address() throws(DecisionError) -> URL {
        let host = endpoint.host ?? ""
        let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        let scheme = endpoint.scheme?.lowercased()
        guard scheme == "https" || (scheme == "http" && isLocal), !host.isEmpty, endpoint.user == nil,
            endpoint.password == nil
        else {
            throw .invalid("the endpoint has to begin with https:// and name a host, without user name and password")
        }
        guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: false), path.hasPrefix("/") else {
            throw .invalid("the endpoint or the path cannot be read; the path has to begin with /")
        }
        parts.path = path
        parts.query = nil
        parts.fragment = nil
        guard let url = parts.url else { throw .invalid("endpoint and path are not a URL together") }
        return url
    }
}

/// How much is kept in the cache. The entries that were not used for longest go first.
public struct DecisionCacheLimits: Hashable, Sendable {
    /// Replies: one for each user, data space, set of points and context.
    public var maximumEntries = 100
    /// Of all replies as JSON, with what they are kept by.
    public var maximumBytes = 2_097_152

    public init() {}
}
