import APNSModel

/// The fault rules of a world, and which request runs into which.
package struct FaultTable: Sendable, Codable {
    private(set) var active: [ActiveFault] = []
    /// Those that came to their end by themselves, until the shell takes them.
    private var ended: [ActiveFault] = []
    /// No rule is over by its time before this one. Milliseconds since 1970.
    private(set) var nextEnd = Int64.max
    private var generator: SeededGenerator
    private var nextID = 1

    /// - Parameter seed: The same seed, rules and requests give the same hits and delays.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    var isEmpty: Bool { active.isEmpty }

    mutating func add(_ rule: FaultRule) -> ActiveFault {
        let fault = ActiveFault(id: String(nextID), rule: rule)
        nextID += 1
        active.append(fault)
        nextEnd = min(nextEnd, rule.until ?? .max)
        return fault
    }

    /// - Returns: The rule; nil where there is none with this id.
    mutating func remove(_ id: String) -> ActiveFault? {
        active.firstIndex { $0.id == id }.map { active.remove(at: $0) }
    }

    /// - Returns: The rules that there were.
    mutating func removeAll() -> [ActiveFault] {
        defer { active.removeAll() }
        return active
    }

    mutating func removeOver(at now: Int64) {
        guard now >= nextEnd else { return }
        ended += active.filter { $0.isOver(at: now) }
        active.removeAll { $0.isOver(at: now) }
        nextEnd = active.reduce(.max) { min($0, $1.rule.until ?? .max) }
    }

    var hasEnded: Bool { !ended.isEmpty }

    mutating func takeEnded() -> [ActiveFault] {
        defer { ended = [] }
        return ended
    }

    /// The first rule, in the order in which they were made, that is for this request and does not spare it. Rules that
    /// are over go.
    ///
    /// - Parameters:
    ///   - topic: Also where the certificate named it and not the request.
    ///   - now: The world's time, milliseconds since 1970.
    mutating func hit(_ head: RequestHead, topic: String?, at now: Int64) -> ActiveFault? {
        hit(at: now) { !$0.effect.isForConnections && $0.match.isMet(by: head, topic: topic) }
    }

    /// As `hit` for a connection that has just come.
    mutating func hitConnection(at now: Int64) -> ActiveFault? { hit(at: now) { $0.effect.isForConnections } }

    private mutating func hit(at now: Int64, _ isFor: (FaultRule) -> Bool) -> ActiveFault? {
        removeOver(at: now)
        for index in active.indices {
            let rule = active[index].rule
            guard isFor(rule), rule.probability >= 1 || Double.random(in: 0..<1, using: &generator) < rule.probability
            else { continue }
            active[index].used += 1
            let hit = active[index]
            if hit.remaining == 0 { ended.append(active.remove(at: index)) }
            return hit
        }
        return nil
    }

    /// Nil for never.
    mutating func milliseconds(of delay: FaultDelay) -> Int64? { delay.milliseconds(using: &generator) }
}

extension FaultRule.Match {
    fileprivate func isMet(by head: RequestHead, topic: String?) -> Bool {
        if let pushType, head.pushType != pushType { return false }
        if let wanted = self.topic, topic != wanted { return false }
        if let app, topic.flatMap({ Topic($0)?.bundleID }) != app { return false }
        guard headers.allSatisfy({ $0.isMet(by: head) }) else { return false }
        guard let token else { return true }
        return Inspection.pathToken(of: head.path).map { DeviceToken($0) == token } ?? false
    }
}
