public import EventDelivery
public import PushDispatch

/// What the client knows, for views.
public struct OptimizationState: Hashable, Sendable {
    public var profile: OptimizationProfile?
    /// The person's answer; nil without one.
    public var consent: Bool?
    /// Whether there are selections. An empty list counts.
    public var canPersonalize: Bool
    /// Nil before the first reply.
    public var changes: [OptimizationChange]?

    public init(
        profile: OptimizationProfile? = nil, consent: Bool? = nil, canPersonalize: Bool = false,
        changes: [OptimizationChange]? = nil
    ) {
        self.profile = profile
        self.consent = consent
        self.canPersonalize = canPersonalize
        self.changes = changes
    }

    /// As JSON: `profile`, `consent`, `canPersonalize`, `changes`.
    public var json: JSONValue {
        [
            "profile": profile?.json ?? .null, "consent": consent.map { .bool($0) } ?? .null,
            "canPersonalize": .bool(canPersonalize),
            "changes": changes.map { .array($0.map(\.json)) } ?? .null,
        ]
    }
}

/// What became of an event.
public enum EventOutcome: Hashable, Sendable {
    /// It is in a queue, and sent when it can be.
    case queued
    /// The person has not agreed. It is dropped, and reported as a ``BlockedEvent``.
    case blocked
    /// There is no profile yet to which a view or a tap could belong. It is dropped, and reported.
    case withoutProfile
}

/// A call that was dropped because of the person's choice.
public struct BlockedEvent: Hashable, Sendable {
    /// Always `consent`.
    public var reason = "consent"
    /// The name of the call, such as `trackView`.
    public var method: String
    /// The type of the event, such as `component`.
    public var type: String
    /// What the call was given, by the names on the wire. It can contain personal data.
    public var arguments: [String: JSONValue]
}

/// What happened in the library, for a log or a metric. It contains no event and nothing about a person.
public enum OptimizationReport: Hashable, Sendable {
    /// An event was not kept because of the person's choice.
    case blocked(method: String)
    /// A view or a tap was dropped, because there is no profile yet.
    case droppedWithoutProfile(method: String)
    case queue(QueueReport)
    /// A 2xx reply of the profile service that cannot be used, or an error of it with its code.
    case profileReply(status: Int, String)
    /// Parts of a reply, of stored values or of start values that are left out.
    case leftOut([ReadingIssue])
    /// The values could not be stored. They hold in this process, and are stored with the next change.
    case notStored(OptimizationError)
}
