import EventDelivery
import Foundation
import PushDispatch

/// The decisions of a client, without clock, task or store.
///
/// A *call* is one fetch that waits for its answer. A *request* is a message to the service that has no answer yet: for the
/// points of one profile graph, and for all calls that ask for the same. The client carries out each ``Action`` and reports
/// back with its id.
struct DecisionCore: Sendable {
    struct CallID: Hashable, Comparable, Sendable {
        fileprivate let number: Int

        static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
    }
    struct RequestID: Hashable, Comparable, Sendable {
        fileprivate let number: Int

        static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
    }

    /// What the client does next.
    enum Action: Sendable {
        /// Send a request. Its answer goes to `answered`, or to `expired` at the moment.
        case send(RequestID, to: URL, body: [UInt8], expiresAt: DispatchMoment)
        /// Cancel the request. Its answer, if one comes, still goes to `answered`.
        case stop(RequestID)
        case answer(CallID, Result<FetchedDecisions, DecisionError>)
        /// Store the cache.
        ///
        /// - Parameter erases: Whether a part of the cache must not be kept any longer, so that the stored bytes must
        ///   not stay.
        case save(erases: Bool)
        case report(DecisionEvent)
    }

    /// What was asked for at one graph.
    struct Group: Hashable, Sendable {
        var graph: String
        var points: [String]
        var key: DecisionCache.Key
        var url: URL
        var wantsDiagnostics: Bool
        var standing: DecisionQuery.Standing
        var body: [UInt8]

        /// Whether one reply answers both: the same points in any order, the same context but for tracing, and a person of whom
        /// the service knows the same.
        func isSame(as other: Group) -> Bool {
            key == other.key && wantsDiagnostics == other.wantsDiagnostics && standing == other.standing
        }
    }

    struct Request: Sendable {
        let group: Group
        /// The calls that wait for it.
        var calls: Set<CallID> = []
        /// Whether to go on without any call: the reply refreshes the cache.
        var refreshesCache = false
    }

    struct Call: Sendable {
        enum Part: Sendable {
            case waiting(RequestID, Group)
            case done(FetchedDecisions.Part)
        }

        var parts: [Part]
        var credits: Int
    }

    let configuration: DecisionConfiguration
    private let address: Result<URL, DecisionError>
    var identity: IdentitySnapshot?
    var consent = ConsentState.pending
    var isOnline = true
    /// The service asked for a pause until then.
    var pause: (until: DispatchMoment, cause: DecisionError)?
    var cache: DecisionCache
    var requests: [RequestID: Request] = [:]
    var calls: [CallID: Call] = [:]
    /// What the requests have cost: one for each point that was asked for.
    var credits = 0
    private var lastNumber = 0

    init(configuration: DecisionConfiguration) {
        self.configuration = configuration
        cache = DecisionCache(limits: configuration.cache)
        do throws(DecisionError) { address = .success(try configuration.address()) } catch { address = .failure(error) }
    }

    mutating func newCall() -> CallID {
        lastNumber += 1
        return CallID(number: lastNumber)
    }

    mutating func newRequest() -> RequestID {
        lastNumber += 1
        return RequestID(number: lastNumber)
    }
}

/// What a fetch asks for.
struct DecisionQuery: Hashable, Sendable {
    /// What the service knows of the person.
    enum Standing: Hashable, Sendable {
        case isReported
        /// The last log-in may not have reached it, so the reply may be for an anonymous person: it is shown, not kept.
        case isNotReported
        /// It may take the device for an earlier person, so it is not asked.
        case isFormerPerson(DecisionError)
    }

    var points: [String]
    var context = DecisionContext()
    var flags: Set<DecisionRequest.Flag> = []
    var standing = Standing.isReported
    /// The generation of the person for whom this is; nil for whoever uses the app.
    var generation: Int?
}

extension DecisionCore {
    /// The person for whom decisions are fetched, if that is allowed now.
    ///
    /// - Throws: `notInitialized`, `userChanged` or `consent`.
    func asker(_ query: DecisionQuery) throws(DecisionError) -> IdentitySnapshot {
        guard let identity else { throw .notInitialized }
        guard query.generation.map({ $0 == identity.generation }) ?? true else { throw .userChanged }
        guard consent == .optedIn else { throw .consent }
        return identity
    }

    /// The points by profile graph, in their order and each once.
    ///
    /// - Throws: `requestInvalid`.
    func groups(_ query: DecisionQuery, of identity: IdentitySnapshot) throws(DecisionError) -> [Group] {
        var graphs: [String] = []
        var points: [String: [String]] = [:]
        var seen: Set<String> = []
        for point in query.points where seen.insert(point).inserted {
            let graph = configuration.graph(of: point)
            if points[graph] == nil { graphs.append(graph) }
            points[graph, default: []].append(point)
        }
        var request = DecisionRequest(
            individualID: identity.individualID, dataSpace: identity.dataSpace, context: query.context,
            points: query.points, flags: query.flags)
        let url = try address.get()
        var groups: [Group] = []
        // Without any point the request itself says what is wrong.
        guard !graphs.isEmpty else {
            _ = try request.encoded()
            return []
        }
        guard seen.count <= DecisionRequest.maximumPoints else {
            throw .invalid("\(seen.count) points are asked for; at most \(DecisionRequest.maximumPoints) fit one fetch")
        }
        for graph in graphs {
            request.points = points[graph] ?? []
            groups.append(
                Group(
                    graph: graph, points: request.points, key: try DecisionCache.Key(request, of: identity), url: url,
                    wantsDiagnostics: query.flags.contains(.enableDiagnostics), standing: query.standing,
                    body: try request.encoded()))
        }
        return groups
    }

    /// What there is without an answer of the service: the cached reply, else default content.
    mutating func fallback(_ group: Group, _ failure: DecisionError?, at wallTime: EventTime) -> FetchedDecisions.Part {
        guard let entry = cache.use(group.key) else { return defaults(group.graph, group.points, failure) }
        var part = part(group, entry.reply, from: .cache, receivedAt: entry.receivedAt)
        part.ageMilliseconds = cache.age(of: group.key, at: wallTime)
        part.failure = failure
        return part
    }

    func defaults(_ graph: String, _ points: [String], _ failure: DecisionError?) -> FetchedDecisions.Part {
        FetchedDecisions.Part(
            graph: graph, points: points, source: .default,
            decisions: points.compactMap { configuration.defaults?[$0]?.decision(for: $0) }, failure: failure)
    }

    /// A reply, with default content for the points that it says nothing about.
    func part(
        _ group: Group, _ reply: DecisionReply, from source: DecisionSource, receivedAt: EventTime
    ) -> FetchedDecisions.Part {
        FetchedDecisions.Part(
            graph: group.graph, points: group.points, source: source, receivedAt: receivedAt,
            requestID: reply.requestID,
            decisions: group.points.compactMap { reply[$0] ?? configuration.defaults?[$0]?.decision(for: $0) },
            diagnostics: reply.diagnostics, issues: reply.issues)
    }

    /// The answer of a call whose parts are all there. Only where nothing at all can be shown it is an error.
    func result(_ parts: [FetchedDecisions.Part], credits: Int) -> Result<FetchedDecisions, DecisionError> {
        let isEmpty = configuration.defaults == nil && parts.allSatisfy { $0.source == .default }
        if isEmpty, let failure = parts.lazy.compactMap(\.failure).first { return .failure(failure) }
        return .success(FetchedDecisions(parts: parts, credits: credits))
    }
}
