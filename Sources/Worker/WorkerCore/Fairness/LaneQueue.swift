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

    private var lines: [Int: Line] = [:]
    /// The tenants with something waiting; the first one is next.
    private var ring: [Int] = []
    private(set) var count = 0

    /// What a turn gives to a tenant.
    static let quantum = 64

    func count(of tenant: Int) -> Int { lines[tenant]?.count ?? 0 }

    /// Whether a push waits that has not failed.
    func hasFresh(of tenant: Int) -> Bool { lines[tenant]?.pushes.isEmpty == false }

    mutating func append(_ push: WaitingPush, of tenant: Int) {
        if lines[tenant]?.isEmpty ?? true { ring.append(tenant) }
        lines[tenant, default: Line()].pushes.append(push)
        count += 1
    }

    /// For a push that was taken already and goes before the others.
    mutating func prepend(_ push: WaitingPush, of tenant: Int) {
        if lines[tenant]?.isEmpty ?? true { ring.append(tenant) }
        lines[tenant, default: Line()].pushes.prepend(push)
        count += 1
    }

    /// For a push that was taken already and was surely not processed.
    mutating func appendFailed(_ push: WaitingPush, of tenant: Int) {
        if lines[tenant]?.isEmpty ?? true { ring.append(tenant) }
        lines[tenant, default: Line()].failed.append(push)
        count += 1
    }

    mutating func removeAll(of tenant: Int) -> [WaitingPush] {
        guard var line = lines.removeValue(forKey: tenant) else { return [] }
        let rest = line.failed.removeAll() + line.pushes.removeAll()
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
            guard allowance.pushes > 0, var line = lines.removeValue(forKey: tenant) else { continue }
            if line.deficit == 0 { line.deficit = LaneQueue.quantum }
            var taken: [WaitingPush] = []
            while taken.count < allowance.pushes, line.deficit > 0, let push = line.popFirst(allowance.isProbe) {
                taken.append(push)
                line.deficit -= 1
            }
            count -= taken.count
            if line.isEmpty {
                ring.remove(at: offset)
            } else {
                // A tenant that could not use its whole turn goes behind the tenants that wait already.
                ring.remove(at: offset)
                ring.append(tenant)
                lines[tenant] = line
            }
            return (tenant, taken)
        }
        return nil
    }
}
