import APNSModel
package import PushDispatch
package import ServiceHost

/// The profile and the analytics service, without I/O. Time is a parameter and random numbers come from the
/// configuration's seed, so that a replay of the same requests gives the same replies.
package struct OptimizationService: Sendable {
    package let configuration: OptimizationConfiguration
    package internal(set) var profiles: ProfileBook
    package internal(set) var events: ProfileEventLog
    package internal(set) var counts: ExperienceCounts
    package internal(set) var faults: PathFaults<OptimizationPath>
    /// Events of `import/events` that were not taken.
    package internal(set) var importRefused = 0
    var generator: SeededGenerator
    private var profileWindow: (minute: Int64, requests: [String: Int]) = (-1, [:])
    private var entryWindow: (second: Int64, requests: Int) = (-1, 0)

    package init(_ configuration: OptimizationConfiguration) {
        self.configuration = configuration
        profiles = ProfileBook(limit: configuration.limits.profiles)
        events = ProfileEventLog(configuration.limits)
        counts = ExperienceCounts(configuration.experiences)
        generator = SeededGenerator(seed: SeededGenerator.mix(configuration.seed))
        faults = PathFaults(seed: SeededGenerator.mix(configuration.seed ^ 0xfa17))
        for fault in configuration.faults { _ = faults.add(fault) }
    }

    /// One request for a profile.
    package struct Upsert: Sendable {
        /// As the path names it; nil makes one.
        package var id: String?
        package var events: [ProfileEvent]
        package var features: Set<Feature> = []
        /// The address that the request pretends to come from.
        package var address: String?
        /// Computes and stores nothing.
        package var isPreflight = false

        package init(_ id: String?, _ events: [ProfileEvent]) {
            self.id = id
            self.events = events
        }
    }

    package enum Feature: String, Hashable, Sendable, CaseIterable {
        case enrichment = "ip-enrichment"
        case location
    }

    /// What an app gets.
    package struct Selection: Hashable, Sendable {
        package let experienceID: String
        package let variantIndex: Int
        package let variants: [String: String]
        package let isSticky: Bool
    }

    package struct Change: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
        package let experienceID: String
        package let variantIndex: Int
    }

    package struct Reply: Hashable, Sendable {
        package var profile: VisitorProfile
        package var selections: [Selection] = []
        package var changes: [Change] = []
    }

    // MARK: Limits

    /// Whether one more request for this profile fits into this minute.
    mutating func passesProfileLimit(_ id: String, at now: Int64) -> Bool {
        guard let limit = configuration.limits.requestsPerProfile else { return true }
        let minute = now / 60_000
        if profileWindow.minute != minute { profileWindow = (minute, [:]) }
        guard profileWindow.requests[id, default: 0] < limit else { return false }
        profileWindow.requests[id, default: 0] += 1
        return true
    }

    /// Whether one more request for entries fits into this second.
    mutating func passesEntryLimit(at now: Int64) -> Bool {
        guard let limit = configuration.limits.entriesPerSecond else { return true }
        let second = now / 1_000
        if entryWindow.second != second { entryWindow = (second, 0) }
        guard entryWindow.requests < limit else { return false }
        entryWindow.requests += 1
        return true
    }

    mutating func makeID() -> String { UUIDText.make(using: &generator) }

    // MARK: Analytics

    /// Takes views and taps of a profile. Repeats are dropped.
    package mutating func receive(_ batch: [ProfileEvent], of profile: String, at now: Int64) {
        for event in batch where events.append(event, .analytics, of: profile, at: now) { counts.count(event) }
    }

    /// Forgets a profile. Its events stay.
    ///
    /// - Returns: False if there is none.
    package mutating func remove(_ id: String) -> Bool {
        guard let gone = profiles.remove(profiles.resolve(id)) else { return false }
        counts.move(gone.selections, to: [:])
        return true
    }

    /// What a profile gets now, without a change of anything.
    package func reply(for profile: VisitorProfile) -> Reply { ProfilePlan.reply(for: profile, configuration) }
}
