public import EventDelivery
import Foundation
public import PushDispatch

/// Fetches entries from the delivery service, with what they link to, page after page.
///
/// ```swift
/// let delivery = DeliveryClient(DeliveryConfiguration(space: "space-1", accessToken: token))
/// let fetched = try await delivery.entries(DeliveryQuery(contentType: "hero", locale: "en-US"))
/// ```
///
/// Source: docs/reference/personalization.md 13.1 and 16.
public struct DeliveryClient: Sendable {
    public let configuration: DeliveryConfiguration
    private let transport: any OptimizationTransport
    private let cache: (any DeliveryCache)?
    private let clock: any DispatchClock
    private let wallClock: @Sendable () -> EventTime

    /// - Parameters:
    ///   - cache: Keeps the last good reply of each query; nil for none.
    ///   - clock: For the pauses that the service asks for.
    ///   - wallClock: The time of day, for the age of what is cached.
    public init(
        _ configuration: DeliveryConfiguration,
        transport: any OptimizationTransport = URLSessionOptimizationTransport(),
        cache: (any DeliveryCache)? = nil, clock: any DispatchClock = SystemDispatchClock(),
        wallClock: @escaping @Sendable () -> EventTime = { .now() }
    ) {
        self.configuration = configuration
        self.transport = transport
        self.cache = cache
        self.clock = clock
        self.wallClock = wallClock
    }

    /// All entries of a query, with their links replaced. When the service cannot be reached it is the last good reply, with its
    /// age.
    ///
    /// - Throws: `DeliveryError`. A refusal, such as a wrong token, is never answered from the cache.
    public func entries(_ query: DeliveryQuery) async throws(DeliveryError) -> FetchedEntries {
        let key = cacheKey(query)
        let kept = cache?.entries(for: key)
        do throws(DeliveryError) {
            try check(query)
            let pages = try await pages(query, unlessTagged: kept?.entityTag)
            let time = wallClock()
            guard let pages else {
                // Nothing has changed.
                let reply = kept?.reply ?? DeliveryReply(items: [])
                cache?.keep(CachedEntries(reply: reply, time: time, entityTag: kept?.entityTag), for: key)
                return FetchedEntries(reply, source: .network, time: time, isComplete: true)
            }
            if pages.isComplete {
                cache?.keep(CachedEntries(reply: pages.reply, time: time, entityTag: pages.entityTag), for: key)
            }
            return FetchedEntries(pages.reply, source: .network, time: time, isComplete: pages.isComplete)
        } catch {
            guard error.allowsCached, let cached = cache?.entries(for: key) else { throw error }
            let age = max(0, wallClock().milliseconds - cached.time.milliseconds)
            return FetchedEntries(
                cached.reply, source: .cache(ageMilliseconds: age, error), time: cached.time, isComplete: true)
        }
    }

    /// The reply of the service itself, past the cache, which stays as it is.
    func fresh(_ query: DeliveryQuery) async throws(DeliveryError) -> DeliveryReply {
        try check(query)
        guard let pages = try await pages(query, unlessTagged: nil) else {
            throw DeliveryError(.replyInvalid, "the delivery service answered 304 to a request without a condition")
        }
        return pages.reply
    }

    private func check(_ query: DeliveryQuery) throws(DeliveryError) {
        guard !query.isForOneLocale else { return }
        throw DeliveryError(.configuration, "ask for one locale; with all of them entries do not resolve")
    }

    /// Whether an entry of the reply has a lower revision than the cache has it with, in the replies of all queries.
    func isBehind(_ reply: DeliveryReply, of query: DeliveryQuery) -> Bool {
        var isBehind = false
        cache?.update { key, cached in
            if isFor(query.locale, key), reply.isOlder(than: cached.reply) { isBehind = true }
            return nil
        }
        return isBehind
    }

    /// Stores the reply of a query, and its entries in place of older ones in the cached replies of other queries.
    ///
    /// - Returns: Whether the cache had none of the items, or one of them or what it links to has changed.
    func store(_ reply: DeliveryReply, for query: DeliveryQuery) -> Bool {
        guard let cache else { return false }
        var (isKnown, hasChanged) = (false, false)
        cache.update { key, cached in
            guard isFor(query.locale, key), cached.reply.hasItem(of: reply) else { return nil }
            isKnown = true
            guard let updated = cached.reply.updated(with: reply) else { return nil }
            hasChanged = true
            return CachedEntries(reply: updated, time: cached.time)
        }
        cache.keep(CachedEntries(reply: reply, time: wallClock()), for: cacheKey(query))
        return hasChanged || !isKnown
    }

    /// Whether a key of the cache is that of a query of this space and environment for the locale.
    private func isFor(_ locale: String?, _ key: String) -> Bool {
        let start = "\(configuration.space)/\(configuration.environment)?"
        guard key.hasPrefix(start) else { return false }
        let found = key.dropFirst(start.count).split(separator: "&").first { $0.hasPrefix("locale=") }
        return found.map(String.init) == locale.map { "locale=\($0)" }
    }

    /// One entry with its links replaced.
    ///
    /// - Throws: `notFound` if there is none.
    public func entry(_ id: String, locale: String? = nil) async throws(DeliveryError) -> ContentEntry {
        let fetched = try await entries(DeliveryQuery(entryID: id, locale: locale))
        guard let entry = fetched.entries.first(where: { $0.id == id }) else {
            throw DeliveryError(
                .notFound, "there is no published entry \(id.inMessage); check the id and the environment")
        }
        return entry
    }

    /// The audiences and experiences of the space, for a preview panel.
    public func previewDefinitions(locale: String? = nil) async throws(DeliveryError) -> PreviewDefinitions {
        let audiences = try await entries(DeliveryQuery(contentType: AudienceEntry.contentType, locale: locale))
        let experiences = try await entries(DeliveryQuery(contentType: ExperienceEntry.contentType, locale: locale))
        return PreviewDefinitions(entries: audiences.entries + experiences.entries)
    }

    private func cacheKey(_ query: DeliveryQuery) -> String {
        "\(configuration.space)/\(configuration.environment)?\(query.cacheKey)"
    }

    // Pages.

    /// All items of a query in one reply.
    private struct Pages {
        let reply: DeliveryReply
        /// Whether no item is missing.
        let isComplete: Bool
        /// Of a single page.
        let entityTag: String?
    }

    /// - Parameter entityTag: Of the reply that is known.
    /// - Returns: Nil if that has not changed.
    private func pages(
        _ query: DeliveryQuery, unlessTagged entityTag: String?
    ) async throws(DeliveryError) -> Pages? {
        let size = min(max(1, configuration.pageSize), 1_000)
        var all = DeliveryReply(items: [])
        var seen: Set<String> = []
        var skip = 0
        while true {
            guard let (reply, tag) = try await page(query, skip: skip, limit: size, unless: skip == 0 ? entityTag : nil)
            else { return nil }
            all.total = reply.total
            all.issues += reply.issues.prefix(IssueList.maximum - all.issues.count)
            // An entry that is published meanwhile moves others to the next page.
            for item in reply.items where seen.insert(item.id ?? "").inserted { all.items.append(item) }
            all.includes += reply.includes
            skip += size
            // A total that is wrong must not keep this going.
            if reply.items.isEmpty || skip >= reply.total {
                return Pages(reply: all, isComplete: true, entityTag: skip == size ? tag : nil)
            }
            if all.items.count >= configuration.maximumEntries || skip >= configuration.maximumEntries {
                return Pages(reply: all, isComplete: false, entityTag: nil)
            }
        }
    }

    /// - Returns: Nil for the version that is known.
    private func page(
        _ query: DeliveryQuery, skip: Int, limit: Int, unless entityTag: String?
    ) async throws(DeliveryError) -> (DeliveryReply, entityTag: String?)? {
        var request = try request(query, skip: skip, limit: limit)
        if let entityTag { request.headers["If-None-Match"] = entityTag }
        var repeats = 0
        while true {
            let reply: OptimizationHTTPReply
            do throws(TransportFailure) {
                reply = try await transport.send(request)
            } catch {
                switch error {
                case .cancelled: throw DeliveryError(.cancelled, error.description)
                case .tooLarge: throw DeliveryError(.replyInvalid, "\(error), or make the pages smaller")
                case .timeout, .network: throw DeliveryError(.network, error.description)
                }
            }
            if reply.status == 304, entityTag != nil { return nil }
            guard reply.status != 200 else {
                return (try await DeliveryClient.read(reply.body, configuration), reply.headers["etag"])
            }
            let error = DeliveryError(reply)
            guard error.kind == .rateLimitExceeded, repeats < configuration.maximumRepeats else { throw error }
            let pause = max(1, error.retryAfterMilliseconds ?? 1_000)
            guard pause <= configuration.maximumPauseMilliseconds else { throw error }
            repeats += 1
            do {
                try await clock.sleep(until: clock.now().advanced(byMilliseconds: pause))
            } catch {
                throw DeliveryError(.cancelled, "the request was cancelled")
            }
        }
    }

    private static func read(
        _ body: [UInt8], _ configuration: DeliveryConfiguration
    ) async throws(DeliveryError) -> DeliveryReply {
        do throws(OptimizationError) {
            return try DeliveryReply.read(body, maximumBytes: configuration.maximumReplyBytes)
        } catch {
            throw DeliveryError(.replyInvalid, error.detail, status: 200)
        }
    }

    private func request(
        _ query: DeliveryQuery, skip: Int, limit: Int
    ) throws(DeliveryError) -> OptimizationHTTPRequest {
        let url: URL
        do throws(OptimizationError) {
            url = try ServiceURLs.url(
                ServiceURLs.base(configuration.baseURL, "baseURL"),
                [
                    "spaces", ServiceURLs.segment(configuration.space, "space"), "environments",
                    ServiceURLs.segment(configuration.environment, "environment"), "entries",
                ])
        } catch {
            throw DeliveryError(.configuration, error.detail)
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.queryItems = query.items(skip: skip, limit: limit)
        // URLComponents leaves a plus, which services read as a blank.
        let encoded = parts?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        parts?.percentEncodedQuery = encoded
        guard let complete = parts?.url else {
            throw DeliveryError(.configuration, "the query makes no URL; check its parameters")
        }
        return OptimizationHTTPRequest(
            method: "GET", url: complete,
            headers: ["Authorization": "Bearer \(configuration.accessToken)", "Accept": "application/json"],
            withinMilliseconds: max(1, configuration.requestMilliseconds),
            maximumReplyBytes: configuration.maximumReplyBytes)
    }
}

extension DeliveryError {
    /// An answer that is not 200: `{"sys":{"type":"Error","id":"NotFound"},"message":"…","requestId":"…"}`.
    init(_ reply: OptimizationHTTPReply) {
        let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 16, maximumValues: 4_096)
        let members = (try? JSONReader.read(reply.body, limits: limits))?.object ?? [:]
        let id = members["sys"]?.object?["id"]?.string
        let (kind, detail): (Kind, String) =
            switch (id, reply.status) {
            case ("NotFound"?, _), (nil, 404):
                (.notFound, "the space, the environment or the entry is not there; check their ids")
            case ("AccessTokenInvalid"?, _), (nil, 401):
                (.accessTokenInvalid, "the access token is not valid for the space; take the one of its delivery API")
            case ("RateLimitExceeded"?, _), (nil, 429):
                (.rateLimitExceeded, "too many requests; try again after the pause, or ask for fewer pages")
            default:
                (
                    .service(id ?? "\(reply.status)"),
                    "the delivery service answered \(reply.status)\(id.map { " with \($0.inMessage)" } ?? "")"
                )
            }
        self.init(
            kind, detail, status: reply.status, requestID: members["requestId"]?.string,
            retryAfterMilliseconds: reply.pauseMilliseconds)
    }
}
