import APNSModel

/// A fault rule: which requests it affects, what happens and how often.
package struct ServiceFault: Hashable, Sendable, Codable {
    package enum Path: String, Hashable, Sendable, CaseIterable, Codable { case decisions, events }

    package enum Effect: Hashable, Sendable, Codable {
        /// Answers with this status and does nothing else.
        ///
        /// - Parameter pause: Milliseconds for the header `Retry-After`; nil for the vendor's pause, which only a 503 of
        ///   decisions has.
        case status(Int, pause: Int64? = nil)
        /// Milliseconds between the request and its answer.
        case delay(Int64)
        /// Does what is asked and closes the connection without an answer.
        case loseAnswer
        /// Does nothing and never answers.
        case silence
    }

    /// Nil for every request of the vendor's paths.
    package var path: Path?
    package var effect: Effect
    /// The number of requests that it affects before it is removed; nil for no limit.
    package var count: Int?
    /// From 0 to 1.
    package var probability: Double

    package init(_ effect: Effect, path: Path? = nil, count: Int? = nil, probability: Double = 1) {
        self.effect = effect
        self.path = path
        self.count = count
        self.probability = probability
    }
}

/// The fault rules in their order.
package struct ServiceFaults: Hashable, Sendable, Codable {
    package struct Rule: Hashable, Sendable, Codable {
        package let id: String
        package internal(set) var fault: ServiceFault
    }

    package static let maximumRules = 100
    /// How long a client waits after "set-up not loaded", in milliseconds.
    static let setUpPause: Int64 = 30_000

    package private(set) var rules: [Rule] = []
    private var lastID = 0
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// - Returns: The rule's id; nil if there are too many.
    mutating func add(_ fault: ServiceFault) -> String? {
        guard rules.count < ServiceFaults.maximumRules else { return nil }
        lastID += 1
        rules.append(Rule(id: "fault-\(lastID)", fault: fault))
        return "fault-\(lastID)"
    }

    mutating func remove(_ id: String) -> Bool {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
        rules.remove(at: index)
        return true
    }

    mutating func removeAll() { rules = [] }

    /// Applies the first rule that affects this request.
    mutating func hit(_ path: ServiceFault.Path) -> ServiceFault.Effect? {
        for (index, rule) in rules.enumerated() where rule.fault.path ?? path == path {
            let probability = rule.fault.probability
            guard probability >= 1 || Double.random(in: 0..<1, using: &generator) < probability else { continue }
            if let count = rule.fault.count {
                rules[index].fault.count = count - 1
                if count <= 1 { rules.remove(at: index) }
            }
            return rule.fault.effect
        }
        return nil
    }
}
