import APNSModel

/// The fault rules of a world, and which request runs into which.
struct FaultTable: Sendable {
    private(set) var active: [ActiveFault] = []
    private var generator: SeededGenerator
    private var nextID = 1

    /// - Parameter seed: The same seed, rules and requests give the same hits and delays.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    var isEmpty: Bool { active.isEmpty }

    mutating func add(_ rule: FaultRule) -> ActiveFault {
        let fault = ActiveFault(id: String(nextID), rule: rule)
        nextID += 1
        active.append(fault)
        return fault
    }

    /// - Returns: Whether there was such a rule.
    mutating func remove(_ id: String) -> Bool {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return false }
        active.remove(at: index)
        return true
    }

    mutating func removeAll() { active.removeAll() }

    mutating func removeOver(at now: Int64) { active.removeAll { $0.isOver(at: now) } }

    /// The first rule, in the order in which they were made, that is for this request and does not spare it. Rules that
    /// are over go.
    ///
    /// - Parameters:
    ///   - topic: Also where the certificate named it and not the request.
    ///   - now: The world's time, milliseconds since 1970.
    mutating func hit(_ head: RequestHead, topic: String?, at now: Int64) -> ActiveFault? {
        removeOver(at: now)
        for index in active.indices {
            let rule = active[index].rule
            guard rule.match.isMet(by: head, topic: topic),
                rule.probability >= 1 || Double.random(in: 0..<1, using: &generator) < rule.probability
            else { continue }
            active[index].used += 1
            let hit = active[index]
            if hit.isOver(at: now) { active.remove(at: index) }
            return hit
        }
        return nil
    }

    mutating func milliseconds(of delay: FaultDelay) -> Int64 { delay.milliseconds(using: &generator) }
}

extension FaultRule.Match {
    fileprivate func isMet(by head: RequestHead, topic: String?) -> Bool {
        if let pushType, head.pushType != pushType { return false }
        if let wanted = self.topic, topic != wanted { return false }
        guard let token else { return true }
        return Inspection.pathToken(of: head.path).map { DeviceToken($0) == token } ?? false
    }
}
