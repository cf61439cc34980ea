package import APNSModel

/// A fault to inject: for which requests, what happens, how often and until when.
package struct FaultRule: Hashable, Sendable, Codable {
    /// Which requests it is for, by their headers. Nil matches any value.
    package struct Match: Hashable, Sendable, Codable {
        /// The world that gets the rule when worlds are created with it; nil for every world.
        package var world: WorldName?
        package var token: DeviceToken?
        /// The whole topic; for a request without one the topic of its certificate.
        package var topic: String?
        /// The bundle id that the topic begins with, whatever its suffix.
        package var app: String?
        package var pushType: String?
        /// All of them have to be met.
        package var headers: [HeaderCondition]

        package init(
            world: WorldName? = nil, token: DeviceToken? = nil, topic: String? = nil, app: String? = nil,
            pushType: String? = nil, headers: [HeaderCondition] = []
        ) {
            self.world = world
            self.token = token
            self.topic = topic
            self.app = app
            self.pushType = pushType
            self.headers = headers
        }

        /// Whether it matches every request.
        package var isOpen: Bool { self == Match() }
    }

    /// The id that a file gives it; nil for the next one.
    package var id: Int?
    package var match: Match
    package var effect: FaultEffect
    /// How likely a request (or connection) that matches is hit, 0 to 1. One that is not hit is offered to the next rules.
    package var probability: Double
    /// How many requests it hits before it ends; nil for any number.
    package var count: Int?
    /// When it ends, by the world's clock: milliseconds since 1970. Nil for never.
    package var until: Int64?

    /// The ids that a file may give.
    package static let ids = 1...1 << 52

    package init(
        _ effect: FaultEffect, match: Match = Match(), probability: Double = 1, count: Int? = nil, until: Int64? = nil
    ) {
        self.match = match
        self.effect = effect
        self.probability = probability
        self.count = count
        self.until = until
    }

    /// Whether a world of this name gets it.
    package func isFor(_ world: WorldName) -> Bool { match.world == nil || match.world == world }

    /// Whether its time is over.
    ///
    /// - Parameter now: By the world's clock, in milliseconds since 1970.
    package func isOver(at now: Int64) -> Bool { until.map { now >= $0 } ?? false }
}

/// A fault rule of a world, with what it has done so far.
package struct ActiveFault: Hashable, Sendable, Codable {
    /// Unique between two resets.
    package let id: String
    package let rule: FaultRule
    /// How many requests it has hit.
    package internal(set) var used = 0

    /// How many it still hits; nil for any number.
    package var remaining: Int? { rule.count.map { $0 - used } }

    func isOver(at now: Int64) -> Bool { remaining == 0 || rule.isOver(at: now) }
}

/// What a fault rule did to one request, for the journal.
package struct FaultNote: Hashable, Sendable, Codable {
    /// The id of the rule.
    package let id: String
    package let why: String
}
