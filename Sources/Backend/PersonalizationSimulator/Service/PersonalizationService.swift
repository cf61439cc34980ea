import APNSModel
package import ServiceHost

/// The decision service: people, decisions, events and credits, without I/O. Time is a parameter and random numbers come
/// from the configuration's seed, so that a replay of the same requests gives the same replies.
package struct PersonalizationService: Sendable {
    package let configuration: ServiceConfiguration
    /// For each data space, in the order of the configuration.
    package internal(set) var individuals: [Individuals]
    package internal(set) var decisions: DecisionLog
    package internal(set) var events: EventLog
    package internal(set) var faults: ServiceFaults
    /// One for each point in a request.
    package internal(set) var credits = 0
    /// Where diagnostics go that are not in a reply.
    package internal(set) var diagnostics: BoundedLog<LoggedDiagnostic>
    /// People in the groups of experiments.
    package internal(set) var groups: ExperimentGroups
    var generator: SeededGenerator
    /// Sorted by type.
    let catalogs: [ItemCatalog]
    private let pointsByName: [String: Int]
    private let pointsByID: [String: Int]
    private var window: (minute: Int64, requests: Int) = (-1, 0)

    package struct LoggedDiagnostic: Hashable, Sendable, Codable {
        package let requestID: String
        /// Nil for the request as a whole.
        package let point: String?
        package let diagnostic: Diagnostic
        package let time: Int64
    }

    package init(_ configuration: ServiceConfiguration) {
        self.configuration = configuration
        let limits = configuration.limits
        individuals = configuration.dataSpaces.map { space in
            Individuals(configuration.individuals.filter { $0.dataSpace ?? space == space }, limit: limits.people)
        }
        decisions = DecisionLog(limit: limits.decisions, devices: limits.people)
        events = EventLog(limit: limits.events, bytes: limits.eventBytes, ids: limits.eventIDs)
        groups = ExperimentGroups(limit: limits.experimentPeople)
        diagnostics = BoundedLog(limit: limits.diagnostics)
        generator = SeededGenerator(seed: SeededGenerator.mix(configuration.seed))
        faults = ServiceFaults(seed: SeededGenerator.mix(configuration.seed ^ 0xfa17))
        for fault in configuration.faults { _ = faults.add(fault) }
        catalogs = configuration.items.values.sorted { $0.type < $1.type }
        let numbered = configuration.points.enumerated()
        pointsByName = Dictionary(numbered.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        pointsByID = Dictionary(numbered.map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The position of a data space.
    package func space(_ name: String) -> Int? { configuration.dataSpaces.firstIndex(of: name) }

    /// The point that a request names; the id comes before the name.
    func point(_ asked: DecisionRequest.Point) -> DecisionPoint? {
        let index = asked.id.flatMap { pointsByID[$0] } ?? asked.name.flatMap { pointsByName[$0] }
        return index.map { configuration.points[$0] }
    }

    /// Milliseconds until the next minute, in which requests are answered again.
    func pause(at now: Int64) -> Int64 { 60_000 - now % 60_000 }

    /// Whether one more request fits into this minute.
    mutating func passesRateLimit(at now: Int64) -> Bool {
        let minute = now / 60_000
        if window.minute != minute { window = (minute, 0) }
        guard window.requests < configuration.limits.requestsPerMinute else { return false }
        window.requests += 1
        return true
    }

    mutating func makeID() -> String { UUIDText.make(using: &generator) }

    mutating func log(_ diagnostic: Diagnostic, _ requestID: String, point: String?, at now: Int64) {
        diagnostics.append(
            LoggedDiagnostic(requestID: requestID, point: point, diagnostic: diagnostic, time: now))
    }
}
