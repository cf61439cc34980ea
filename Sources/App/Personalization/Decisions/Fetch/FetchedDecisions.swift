public import EventDelivery

/// Where decisions come from.
public enum DecisionSource: String, Hashable, Sendable, CaseIterable {
    /// The service has just answered.
    case service
    /// The last good reply for the same user, points and context.
    case cache
    /// The app's own content.
    case `default`
}

/// What to show at the points of one fetch.
public struct FetchedDecisions: Hashable, Sendable {
    /// The points of one profile graph, which were asked for in one request.
    public struct Part: Hashable, Sendable {
        public var graph: String
        /// In the order of the fetch.
        public var points: [String]
        public var source: DecisionSource
        /// When the reply came; nil for default content.
        public var receivedAt: EventTime?
        /// How old a cached reply is by the device's clock, at least 0; nil for other sources.
        public var ageMilliseconds: Int64?
        public var requestID: String?
        /// Of the points that have content, in their order.
        public var decisions: [Decision]
        /// Why there is no fresh answer; nil if there is one.
        public var failure: DecisionError?
        public var diagnostics: [DecisionDiagnostic] = []
        /// What of the reply could not be used, and why.
        public var issues: [String] = []

        public init(
            graph: String = "main", points: [String], source: DecisionSource, receivedAt: EventTime? = nil,
            ageMilliseconds: Int64? = nil, requestID: String? = nil, decisions: [Decision],
            failure: DecisionError? = nil, diagnostics: [DecisionDiagnostic] = [], issues: [String] = []
        ) {
            self.graph = graph
            self.points = points
            self.source = source
            self.receivedAt = receivedAt
            self.ageMilliseconds = ageMilliseconds
            self.requestID = requestID
            self.decisions = decisions
            self.failure = failure
            self.diagnostics = diagnostics
            self.issues = issues
        }
    }

    /// One for each profile graph, in the order of the points.
    public var parts: [Part]
    /// What the requests of this fetch cost: one for each point that was asked for. 0 for a part whose request another fetch
    /// had already sent.
    public var credits: Int

    public init(parts: [Part], credits: Int) {
        self.parts = parts
        self.credits = credits
    }

    /// What to show at a point; nil without decision and default content.
    public subscript(point: String) -> Decision? {
        for part in parts {
            if let decision = part.decisions.first(where: { $0.point == point }) { return decision }
        }
        return nil
    }

    /// All of them, in the order of the parts and of their points.
    public var decisions: [Decision] { parts.flatMap(\.decisions) }

    /// One for each request that has an answer. Each decision names its own, see ``Decision/requestID``.
    public var requestIDs: [String] { parts.compactMap(\.requestID) }

    /// `service` if all parts come from it, `default` if any part does.
    public var source: DecisionSource {
        if parts.contains(where: { $0.source == .default }) { return .default }
        return parts.contains { $0.source == .cache } ? .cache : .service
    }

    /// When the oldest of the replies came, for a note such as "last updated"; nil without any.
    public var receivedAt: EventTime? { parts.compactMap(\.receivedAt).min() }

    /// The first failure of a part; nil if the service has answered for all.
    public var failure: DecisionError? { parts.lazy.compactMap(\.failure).first }
}
