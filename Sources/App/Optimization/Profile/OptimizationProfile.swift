public import PushDispatch

/// What the profile service knows about a person.
public struct OptimizationProfile: Hashable, Sendable {
    public let id: String
    /// The whole object, which merge tags look into.
    public let members: [String: JSONValue]

    /// Nil if it is not an object with an id.
    public init?(_ value: JSONValue) {
        guard let members = value.object, let id = members["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        self.members = members
    }

    public var json: JSONValue { .object(members) }

    /// What shares of experiences are computed from; the id if it is missing.
    public var stableID: String { members["stableId"]?.string ?? id }

    /// From 0 to 1.
    public var random: Double? { members["random"]?.double }

    /// The ids of the audiences that the person belongs to.
    public var audiences: [String] { (members["audiences"]?.array ?? []).compactMap(\.string) }

    public var traits: [String: JSONValue] { members["traits"]?.object ?? [:] }

    public var location: Location { Location(members: members["location"]?.object ?? [:]) }

    public var session: Session { Session(members: members["session"]?.object ?? [:]) }

    /// Where the person is, as far as the service knows.
    public struct Location: Hashable, Sendable {
        public let members: [String: JSONValue]

        public var coordinates: [String: JSONValue] { members["coordinates"]?.object ?? [:] }
        public var city: String? { members["city"]?.string }
        public var postalCode: String? { members["postalCode"]?.string }
        public var region: String? { members["region"]?.string }
        public var regionCode: String? { members["regionCode"]?.string }
        public var country: String? { members["country"]?.string }
        /// Two letters.
        public var countryCode: String? { members["countryCode"]?.string }
        public var continent: String? { members["continent"]?.string }
        public var timezone: String? { members["timezone"]?.string }
    }

    public struct Session: Hashable, Sendable {
        public let members: [String: JSONValue]

        public var id: String? { members["id"]?.string }
        public var isReturningVisitor: Bool? { members["isReturningVisitor"]?.flag }
        public var landingPage: [String: JSONValue] { members["landingPage"]?.object ?? [:] }
        public var count: Int? { members["count"]?.wholeNumber }
        public var activeSessionLength: Double? { members["activeSessionLength"]?.double }
        public var averageSessionLength: Double? { members["averageSessionLength"]?.double }
    }
}
