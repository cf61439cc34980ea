/// What waits in one lane: a queue for each tenant, between which deficit round robin decides.
struct LaneQueue: Sendable {
    private struct Line: Sendable {
        var pushes = Fifo<WaitingPush>()
        /// How many pushes the tenant may still take in its turn.
        var deficit = 0
    }

    private var lines: [Int: Line] = [:]
    /// The tenants with something waiting; the first one is next.
    private var ring: [Int] = []
    private(set) var count = 0

    /// What a turn gives to a tenant.
    static let quantum = 64

    func count(of tenant: Int) -> Int { lines[tenant]?.pushes.count ?? 0 }

    mutating func append(_ push: WaitingPush, of tenant: Int) {
        if lines[tenant]?.pushes.isEmpty ?? true { ring.append(tenant) }
        lines[tenant, default: Line()].pushes.append(push)
        count += 1
    }

    /// For a push that was taken already and was not sent.
    mutating func prepend(_ push: WaitingPush, of tenant: Int) {
        if lines[tenant]?.pushes.isEmpty ?? true { ring.append(tenant) }
        lines[tenant, default: Line()].pushes.prepend(push)
        count += 1
    }

    mutating func removeAll(of tenant: Int) -> [WaitingPush] {
        guard var line = lines.removeValue(forKey: tenant) else { return [] }
        let rest = line.pushes.removeAll()
        ring.removeAll { $0 == tenant }
        count -= rest.count
        return rest
    }

    mutating func removeAll() -> [(tenant: Int, pushes: [WaitingPush])] {
        let tenants = ring
        return tenants.map { ($0, removeAll(of: $0)) }
    }

    func hasWork(_ allowed: (Int) -> Int) -> Bool { ring.contains { allowed($0) > 0 } }

    /// The next pushes of one tenant, at most `quantum`.
    ///
    /// - Parameter allowed: How many pushes of a tenant may be taken now.
    /// - Returns: Nil when no tenant may take any.
    mutating func next(_ allowed: (Int) -> Int) -> (tenant: Int, pushes: [WaitingPush])? {
        for offset in ring.indices {
            let tenant = ring[offset]
            let room = allowed(tenant)
            guard room > 0, var line = lines.removeValue(forKey: tenant) else { continue }
            if line.deficit == 0 { line.deficit = LaneQueue.quantum }
            var taken: [WaitingPush] = []
            while taken.count < room, line.deficit > 0, let push = line.pushes.popFirst() {
                taken.append(push)
                line.deficit -= 1
            }
            count -= taken.count
            if line.pushes.isEmpty {
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
