import APNSModel

/// The fault rules of a world, and which of them a request hits.
package struct FaultTable: Sendable, Codable {
    private(set) var active: [ActiveFault] = []
    /// The rules that have ended by themselves, until they are reported.
    private var ended: [ActiveFault] = []
    /// No rule ends by its time before this. Milliseconds since 1970.
    private(set) var nextEnd = Int64.max
    private var generator: SeededGenerator
    private(set) var nextID = 1
    /// The filter for `active`; nil when they have changed since it was made.
    private var filter: FaultRuleFilter?

    private enum CodingKeys: CodingKey { case active, ended, nextEnd, generator, nextID }

    /// - Parameter seed: The same seed, rules and requests give the same hits and delays.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    var isEmpty: Bool { active.isEmpty }

    /// Ids up to these are not given to new rules.
    mutating func reserve(_ ids: [Int]) { nextID = max(nextID, (ids.max() ?? 0) + 1) }

    mutating func add(_ rule: FaultRule) -> ActiveFault {
        let id = rule.id ?? nextID
        var rule = rule
        rule.id = nil
        let fault = ActiveFault(id: String(id), rule: rule)
        reserve([id])
        active.append(fault)
        filter = nil
        nextEnd = min(nextEnd, rule.until ?? .max)
        return fault
    }

    /// - Returns: The rule; nil if there is none with this id.
    mutating func remove(_ id: String) -> ActiveFault? {
        filter = nil
        return active.firstIndex { $0.id == id }.map { active.remove(at: $0) }
    }

    /// - Returns: The removed rules.
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

    /// The first rule, in the order in which they were added, that hits this request. Rules that are over are removed.
    ///
    /// - Parameters:
    ///   - request: Passed as a whole, because its head alone would be copied.
    ///   - topic: The topic of the request, or of its certificate.
    mutating func hit(_ request: borrowing Inspection, topic: String?) -> ActiveFault? {
        removeOver(at: request.now)
        if filter == nil { filter = FaultRuleFilter(active) }
        let digest = FaultRuleFilter.RequestDigest(
            token: request.pathToken, topic: topic, pushType: request.head.pushType)
        var app: String??
        var start = 0
        while let index = filter?.next(from: start, digest) {
            // In place: a loop over the array would copy each rule for each request.
            let isMet = active.withUnsafeBufferPointer { rules in
                FaultTable.isMet(rules.baseAddress! + index, by: request, topic, &app)
            }
            if isMet, let hit = take(index) { return hit }
            start = index + 1
        }
        return nil
    }

    /// As `hit` for a new connection.
    mutating func hitConnection(at now: Int64) -> ActiveFault? {
        removeOver(at: now)
        for index in active.indices where active[index].rule.effect.isForConnections {
            if let hit = take(index) { return hit }
        }
        return nil
    }

    /// Counts the hit, unless the rule's probability decides against it.
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

    /// - Parameter app: The bundle id of the topic, once a rule has asked for it.
    private static func isMet(
        _ fault: UnsafePointer<ActiveFault>, by request: borrowing Inspection, _ topic: String?, _ app: inout String??
    ) -> Bool {
        if request.isFromControl, fault.pointee.rule.effect.isOnlyForSenders { return false }
        if let wanted = fault.pointee.rule.match.pushType, request.head.pushType != wanted { return false }
        if let wanted = fault.pointee.rule.match.topic, topic != wanted { return false }
        if let wanted = fault.pointee.rule.match.token {
            guard let token = request.pathToken, isSpelled(wanted, by: token) else { return false }
        }
        if let wanted = fault.pointee.rule.match.app {
            let own = app ?? topic.flatMap { Topic($0)?.bundleID }
            app = own
            if own != wanted { return false }
        }
        let headers = fault.pointee.rule.match.headers
        for condition in headers where !condition.isMet(by: request.head) { return false }
        return true
    }

    /// Whether a string is this device token, with digits in upper or lower case.
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
