public import EventDelivery
public import Foundation

/// Where the services are, and what is reported.
///
/// ```swift
/// var configuration = try PersonalizationConfiguration(
///     endpoint: "https://shop.example.com", appSourceID: "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11",
///     app: AppDescription(name: "Shop", version: "4.2"))
/// configuration.tracksScreens = true
/// configuration.links.hosts = ["www.example.com"]
/// ```
public struct PersonalizationConfiguration: Sendable {
    /// The tenant's endpoint: scheme, host and port.
    public let endpoint: URL
    /// The app's source id in the data platform.
    public let appSourceID: UUID
    public var app: AppDescription
    public var dataSpace = "default"
    public var naming = NamingProfile.reference
    /// How long the app may be in the background before a new session starts.
    public var sessionTimeoutMilliseconds: Int64 = 600_000
    /// Whether `screen` events are sent.
    public var tracksScreens = false
    /// Whether events of the app's life cycle are sent: launch, first launch, background, change of version.
    public var tracksLifecycle = false
    public var deviceIDAfterLogOut = DeviceIDAfterLogOut.same
    public var purposes = PersonalizationPurposes()
    /// Who asked for consent, for the record of an answer.
    public var consentProvider = "app"
    public var links = DeepLinkRules()
    /// The most impressions that are remembered, and so sent, in a session. Their ids together have at most 512 KiB.
    public var maximumImpressions = 5_000
    /// How long a fetch waits for a log-in to reach the service, so that the decision is for the known person.
    public var identityWaitMilliseconds: Int64 = 2_000
    /// The name of the events' destination in the queue. It is stored with each event.
    public var destination: DestinationName = "personalization"
    /// Limits, back-off and flush of the queue. The form of a batch and the meaning of the answers are those of the service.
    public var delivery: DestinationPolicy

    /// - Parameters:
    ///   - endpoint: With `https`; plain `http` only to this machine, for a simulated service.
    ///   - appSourceID: A UUID.
    /// - Throws: `invalidConfiguration`, with what is wrong.
    public init(endpoint: String, appSourceID: String, app: AppDescription) throws(PersonalizationError) {
        guard let id = UUID(uuidString: appSourceID) else {
            throw PersonalizationError(
                .invalidConfiguration,
                "the app source id is not a UUID; copy it from the app's connector in the data platform, in the form "
                    + "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11")
        }
        self.appSourceID = id
        self.endpoint = try PersonalizationConfiguration.endpoint(endpoint)
        self.app = app
        delivery = .personalization
    }

    private static func endpoint(_ text: String) throws(PersonalizationError) -> URL {
        func wrong(_ detail: String) -> PersonalizationError {
            PersonalizationError(.invalidConfiguration, "the endpoint \(detail)")
        }
        guard let parts = URLComponents(string: text), let url = parts.url, let host = parts.host, !host.isEmpty else {
            throw wrong("is not a URL with a host; give one such as https://shop.example.com")
        }
        let isLocal = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased())
        guard parts.scheme?.lowercased() == "https" || parts.scheme?.lowercased() == "http" && isLocal else {
            throw wrong("must begin with https; http is for a service on this machine only")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            ["", "/"].contains(parts.path)
        else { throw wrong("has a user, a path, a query or a fragment; give only scheme, host and port") }
        return url
    }

    /// Where events go.
    public var eventsURL: URL {
        endpoint.appendingPathComponent("web/events").appendingPathComponent(appSourceID.uuidString.lowercased())
    }
}

/// The app, as events name it.
public struct AppDescription: Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// Whether the installation keeps its id when a person logs out.
public enum DeviceIDAfterLogOut: Hashable, Sendable, CaseIterable {
    case same
    /// What is done after the log-out cannot be joined with what was done before, not even by the service.
    case new
}

/// The purposes that need consent. One answer is enough while they are all the same.
public struct PersonalizationPurposes: Hashable, Sendable {
    /// For behaviour and engagement.
    public var events: ConsentPurpose
    /// For identity, contact points and party identification.
    public var identity: ConsentPurpose
    /// For asking the service for decisions.
    public var decisions: ConsentPurpose

    public init(
        events: ConsentPurpose = "personalization", identity: ConsentPurpose? = nil, decisions: ConsentPurpose? = nil
    ) {
        self.events = events
        self.identity = identity ?? events
        self.decisions = decisions ?? events
    }

    /// Each once.
    public var all: [ConsentPurpose] {
        [events, identity, decisions].reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension DestinationPolicy {
    /// How the service wants its events: a form with Base64, where 400 and 413 refuse an event of the batch, 401 wants new
    /// credentials, and every other failure is tried again later (docs/reference/personalization.md 4.5, 4.6).
    public static var personalization: DestinationPolicy {
        var policy = DestinationPolicy()
        policy.form = .form(field: "event", key: "events")
        policy.answers = AnswerRules()
        return policy
    }
}
