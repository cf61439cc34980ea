public import EventDelivery

/// Which services the client talks to, and how it behaves.
///
/// ```swift
/// var configuration = OptimizationConfiguration(clientID: "client-1")
/// configuration.app = OptimizationApp(name: "Shop", version: "4.2")
/// ```
///
/// It is checked by ``OptimizationClient/initialize(_:)``.
public struct OptimizationConfiguration: Sendable {
    /// Of which generation of the original client the defaults are (docs/reference/personalization.md 8).
    public enum Generation: String, Hashable, Sendable, CaseIterable {
        /// Start values never replace a stored one, as its text says; its code let them win.
        case first
        case later
    }

    public var clientID: String
    public var generation: Generation
    public var environment: String
    /// Nil for the production host. With `https`; plain `http` only to this machine, for a simulated service.
    public var experienceBaseURL: String?
    /// The same for the analytics service.
    public var insightsBaseURL: String?
    /// What holds before the service has answered.
    public var defaults: StartValues?
    /// Writes what happens to the log of the system, under `com.contentful.optimization`.
    public var isDebug = false
    public var app = OptimizationApp(name: "", version: "")
    public var locale = "en-US"
    /// The text `context.userAgent` of events; nil for none.
    public var userAgent: String?
    public var views: ViewTrackingRules
    /// The types of events that are sent before the person has agreed. The first generation always has `identify` and `screen`.
    public var allowedBeforeConsent: Set<String> = ["identify", "screen"]
    /// The limit for a request to the profile service.
    public var requestMilliseconds: Int64 = 3_000
    /// Asks the service what it would choose, and has it store nothing.
    public var isPreflight = false
    public var features = ["ip-enrichment", "location"]
    /// Limits, back-off and flush of the profile queue. The form of a batch is the service's.
    public var profileQueue = DestinationPolicy.optimizationProfile
    /// The same for the analytics queue.
    public var analyticsQueue = DestinationPolicy.optimizationAnalytics

    public init(clientID: String, generation: Generation = .first) {
        self.clientID = clientID
        self.generation = generation
        environment = generation == .first ? "master" : "main"
        views = generation == .first ? .firstGeneration : .laterGeneration
    }
}

/// The app, as events name it.
public struct OptimizationApp: Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// What holds before the person has answered and the service has replied. In the first generation only where nothing is
/// stored, so that a person's own choice is never overwritten.
public struct StartValues: Hashable, Sendable {
    public var consent: Bool?
    public var profile: OptimizationProfile?
    public var changes: [OptimizationChange]?
    public var personalizations: [ExperienceSelection]?

    public init(
        consent: Bool? = nil, profile: OptimizationProfile? = nil, changes: [OptimizationChange]? = nil,
        personalizations: [ExperienceSelection]? = nil
    ) {
        self.consent = consent
        self.profile = profile
        self.changes = changes
        self.personalizations = personalizations
    }
}

extension DestinationPolicy {
    /// Each event at once; 100 at most while offline, the oldest is dropped and reported; one repeat, on 503 alone; events are
    /// removed after success only, so a refused one is tried again with the back-off until newer ones take its place.
    ///
    /// Source: docs/reference/personalization.md 10 and 12.
    public static var optimizationProfile: DestinationPolicy {
        var policy = DestinationPolicy()
        policy.limits.maximumEvents = 100
        policy.batch.maximumEvents = 100
        policy.batch.maximumBytes = 8 << 20
        // A group is a person: what was done before a reset belongs to another profile.
        policy.batch.mixesGroups = false
        policy.flush.count = 1
        policy.answers = .optimization
        policy.whilePending = .refuse
        return policy
    }

    /// 25 events, every 30 seconds, and on demand.
    public static var optimizationAnalytics: DestinationPolicy {
        var policy = DestinationPolicy()
        policy.batch.maximumEvents = 1_000
        policy.flush.count = 25
        policy.flush.intervalMilliseconds = 30_000
        policy.flush.priority = nil
        policy.form = .groups("profile", key: "events")
        policy.answers = .optimization
        policy.whilePending = .refuse
        return policy
    }
}

extension AnswerRules {
    /// 2xx is delivered, 503 is repeated once and at once, and everything else is tried again later.
    public static let optimization = AnswerRules([
        (200...299, .delivered), (503...503, .retryAtOnce(times: 1)),
    ])
}
