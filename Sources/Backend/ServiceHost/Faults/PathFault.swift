import APNSModel

/// The kinds of paths that fault rules of a service tell apart. The raw values are the words of the control API.
package protocol FaultPath: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {}

/// A fault rule: which requests it affects, what happens and how often.
package struct PathFault<Path: FaultPath>: Hashable, Sendable, Codable {
    package enum Effect: Hashable, Sendable, Codable {
        /// Answers with this status and does nothing else.
        ///
        /// - Parameter pause: Milliseconds for the header `Retry-After`; nil for the vendor's pause, where there is one.
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
package struct PathFaults<Path: FaultPath>: Hashable, Sendable, Codable {
    package struct Rule: Hashable, Sendable, Codable {
        package let id: String
        package internal(set) var fault: PathFault<Path>
    }

    package static var maximumRules: Int { 100 }

    package private(set) var rules: [Rule] = []
    private var lastID = 0
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// - Returns: The rule's id; nil if there are too many.
    package mutating func add(_ fault: PathFault<Path>) -> String? {
        guard rules.count < Self.maximumRules else { return nil }
        lastID += 1
        rules.append(Rule(id: "fault-\(lastID)", fault: fault))
        return "fault-\(lastID)"
    }

    package mutating func remove(_ id: String) -> Bool {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
        rules.remove(at: index)
        return true
    }

    package mutating func removeAll() { rules = [] }

    /// Whether a request may change them: there are rules that count, or that draw whether they apply.
    package var changeWithUse: Bool { rules.contains { $0.fault.count != nil || $0.fault.probability < 1 } }

    /// Applies the first rule that affects this request.
    package mutating func hit(_ path: Path) -> PathFault<Path>.Effect? {
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
