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
    /// Of `active`; nil when they changed since it was made.
    private var filter: FaultRuleFilter?

    private enum CodingKeys: CodingKey { case active, ended, nextEnd, generator, nextID }

    /// - Parameter seed: The same seed, rules and requests give the same hits and delays.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    var isEmpty: Bool { active.isEmpty }

    mutating func add(_ rule: FaultRule) -> ActiveFault {
        let fault = ActiveFault(id: String(nextID), rule: rule)
        nextID += 1
        active.append(fault)
        filter = nil
        nextEnd = min(nextEnd, rule.until ?? .max)
        return fault
    }

    /// - Returns: The rule; nil where there is none with this id.
    mutating func remove(_ id: String) -> ActiveFault? {
        filter = nil
        return active.firstIndex { $0.id == id }.map { active.remove(at: $0) }
    }

    /// - Returns: The rules that there were.
    mutating func removeAll() -> [ActiveFault] {
        defer { (active, filter) = ([], nil) }
        return active
    }

    mutating func removeOver(at now: Int64) {
        guard now >= nextEnd else { return }
        ended += active.filter { $0.isOver(at: now) }
        active.removeAll { $0.isOver(at: now) }
        filter = nil
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
    ///   - token: As it stands in the path.
    ///   - topic: Also where the certificate named it and not the request.
    ///   - now: The world's time, milliseconds since 1970.
    mutating func hit(
        _ head: borrowing RequestHead, token: Substring?, topic: String?, at now: Int64
    ) -> ActiveFault? {
        removeOver(at: now)
        if filter == nil { filter = FaultRuleFilter(active) }
        let digest = FaultRuleFilter.RequestDigest(token: token, topic: topic, pushType: head.pushType)
        var app: String??
        var start = 0
        while let index = filter?.next(from: start, digest) {
            // In place: a copy of each rule for each request is what they would cost.
            let isMet = active.withUnsafeBufferPointer { rules in
                FaultTable.isMet(rules.baseAddress! + index, by: head, topic, token, &app)
            }
            if isMet, let hit = take(index) { return hit }
            start = index + 1
        }
        return nil
    }

    /// As `hit` for a connection that has just come.
    mutating func hitConnection(at now: Int64) -> ActiveFault? {
        removeOver(at: now)
        for index in active.indices where active[index].rule.effect.isForConnections {
            if let hit = take(index) { return hit }
        }
        return nil
    }

    /// Counts the hit, unless the rule spares this one.
    private mutating func take(_ index: Int) -> ActiveFault? {
        let probability = active[index].rule.probability
        guard probability >= 1 || Double.random(in: 0..<1, using: &generator) < probability else { return nil }
        active[index].used += 1
        let hit = active[index]
        if hit.remaining == 0 {
            ended.append(active.remove(at: index))
            filter = nil
        }
        return hit
    }

    /// - Parameter app: The bundle id of the topic, once it was asked for.
    private static func isMet(
        _ fault: UnsafePointer<ActiveFault>, by head: borrowing RequestHead, _ topic: String?, _ token: Substring?,
        _ app: inout String??
    ) -> Bool {
        if let wanted = fault.pointee.rule.match.pushType, head.pushType != wanted { return false }
        if let wanted = fault.pointee.rule.match.topic, topic != wanted { return false }
        if let wanted = fault.pointee.rule.match.token {
            guard let token, isSpelled(wanted, by: token) else { return false }
        }
        if let wanted = fault.pointee.rule.match.app {
            let own = app ?? topic.flatMap { Topic($0)?.bundleID }
            app = own
            if own != wanted { return false }
        }
        let headers = fault.pointee.rule.match.headers
        for condition in headers where !condition.isMet(by: copy head) { return false }
        return true
    }

    /// Whether a text is this device token, with digits in either case.
    private static func isSpelled(_ token: DeviceToken, by text: Substring) -> Bool {
        let (wanted, found) = (token.hex.utf8, text.utf8)
        return wanted.count == found.count
            && zip(wanted, found).allSatisfy { wanted, found in
                wanted == found || (0x41...0x46).contains(found) && found | 0x20 == wanted
            }
    }

    /// Nil for never.
    mutating func milliseconds(of delay: FaultDelay) -> Int64? { delay.milliseconds(using: &generator) }
}
