/// What waits in one lane: a queue for each tenant, between which deficit round robin decides.
struct LaneQueue: Sendable {
    /// What a tenant may send now.
    struct Allowance {
        var pushes: Int
        /// Whether it is one push that finds out whether sending works again.
        var isProbe = false
    }

    private struct Line: Sendable {
        var pushes = Fifo<WaitingPush>()
        /// Those that were sent and not processed. They go first, but the last of all is the one that tries whether sending
        /// works again: what it failed by may concern no other.
        var failed = Fifo<WaitingPush>()
        /// How many pushes the tenant may still take in its turn.
        var deficit = 0

        var count: Int { pushes.count + failed.count }
        var isEmpty: Bool { pushes.isEmpty && failed.isEmpty }

        mutating func popFirst(_ isProbe: Bool) -> WaitingPush? {
            isProbe ? pushes.popFirst() ?? failed.popFirst() : failed.popFirst() ?? pushes.popFirst()
        }
    }

    /// By tenant, up to the last one that has waited.
    private var lines: [Line] = []
    /// The tenants with something waiting; the first one is next.
    private var ring: [Int] = []
    private(set) var count = 0

    /// What a turn gives to a tenant.
    static let quantum = 64

    func count(of tenant: Int) -> Int { tenant < lines.count ? lines[tenant].count : 0 }

    /// Whether a push waits that has not failed.
    func hasFresh(of tenant: Int) -> Bool { tenant < lines.count && !lines[tenant].pushes.isEmpty }

    /// The tenant gets something.
    private mutating func prepare(_ tenant: Int) {
        while tenant >= lines.count { lines.append(Line()) }
        if lines[tenant].isEmpty { ring.append(tenant) }
        count += 1
    }

    mutating func append(_ push: WaitingPush, of tenant: Int) {
        prepare(tenant)
        lines[tenant].pushes.append(push)
    }

    /// For a push that was taken already and goes before the others.
    mutating func prepend(_ push: WaitingPush, of tenant: Int) {
        prepare(tenant)
        lines[tenant].pushes.prepend(push)
    }

    /// For a push that was taken already and was surely not processed.
    mutating func appendFailed(_ push: WaitingPush, of tenant: Int) {
        prepare(tenant)
        lines[tenant].failed.append(push)
    }

    mutating func removeAll(of tenant: Int) -> [WaitingPush] {
        guard count(of: tenant) > 0 else { return [] }
        let rest = lines[tenant].failed.removeAll() + lines[tenant].pushes.removeAll()
        lines[tenant].deficit = 0
        ring.removeAll { $0 == tenant }
        count -= rest.count
        return rest
    }

    mutating func removeAll() -> [(tenant: Int, pushes: [WaitingPush])] {
        let tenants = ring
        return tenants.map { ($0, removeAll(of: $0)) }
    }

    /// - Parameter allowed: What a tenant may send now, and whether a push of it waits that has not failed.
    func hasWork(_ allowed: (Int, Bool) -> Allowance) -> Bool {
        ring.contains { allowed($0, hasFresh(of: $0)).pushes > 0 }
    }

    /// The next pushes of one tenant, at most `quantum`.
    ///
    /// - Parameter allowed: As for `hasWork`.
    /// - Returns: Nil when no tenant may take any.
    mutating func next(_ allowed: (Int, Bool) -> Allowance) -> (tenant: Int, pushes: [WaitingPush])? {
        for offset in ring.indices {
            let tenant = ring[offset]
            let allowance = allowed(tenant, hasFresh(of: tenant))
            guard allowance.pushes > 0 else { continue }
            if lines[tenant].deficit == 0 { lines[tenant].deficit = LaneQueue.quantum }
            let limit = min(allowance.pushes, lines[tenant].deficit)
            var taken: [WaitingPush] = []
            taken.reserveCapacity(min(limit, lines[tenant].count))
            while taken.count < limit, let push = lines[tenant].popFirst(allowance.isProbe) { taken.append(push) }
            lines[tenant].deficit -= taken.count
            count -= taken.count
            ring.remove(at: offset)
            if lines[tenant].isEmpty {
                // It keeps no memory for what waited once.
                lines[tenant] = Line()
            } else {
                // A tenant that could not use its whole turn goes behind the tenants that wait already.
                ring.append(tenant)
            }
            return (tenant, taken)
        }
        return nil
    }
}
