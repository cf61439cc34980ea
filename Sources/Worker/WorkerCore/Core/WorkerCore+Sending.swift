package import APNSModel
import APNSProvider
package import PushQueue

extension WorkerCore {
    /// Pushes for the sender of one tenant.
    package struct Dispatch: Sendable {
        package var tenant: Int
        package var pushes: [OutgoingPush]
    }

    /// What to send now: the lanes by weight, in each lane the tenants in turn, as far as senders, limits, pauses and breakers
    /// allow.
    package mutating func dispatch(at now: MonotonicTime) -> [Dispatch] {
        // Once a lease has ended, another worker may be sending the same pushes: nothing is sent until `extend` has
        // answered.
        guard !isDraining, waiting > 0, now < firstLeaseEnd else { return [] }
        makeRoom(at: now)
        var batches: [Int: Dispatch] = [:]
        while let lane = nextLane(at: now) {
            let top = lane == 0
            // Taken out while it changes, because the closure reads the rest.
            var queue = LaneQueue()
            swap(&queue, &lanes[lane])
            let next = queue.next { allowance($0, isTop: top, isFresh: $1, at: now) }
            swap(&queue, &lanes[lane])
            guard let (tenant, pushes) = next else { break }
            waiting -= pushes.count
            var batch = batches.removeValue(forKey: tenant) ?? Dispatch(tenant: tenant, pushes: [])
            for push in pushes { send(push, tenant, into: &batch.pushes, at: now) }
            if !batch.pushes.isEmpty { batches[tenant] = batch }
        }
        return batches.values.sorted { $0.tenant < $1.tenant }
    }

    /// The next lane, by smooth weighted round robin; nil where nothing may be sent.
    private mutating func nextLane(at now: MonotonicTime) -> Int? {
        var best: Int?
        var total = 0
        for lane in lanes.indices where lanes[lane].count > 0 {
            guard lanes[lane].hasWork({ allowance($0, isTop: lane == 0, isFresh: $1, at: now) }) else { continue }
            let weight = settings.lanes.lanes[lane].weight
            total += weight
            credits[lane] += weight
            if best.map({ credits[lane] > credits[$0] }) ?? true { best = lane }
        }
        if let best { credits[best] -= total }
        return best
    }

    /// How many pushes of a tenant may be sent now.
    ///
    /// - Parameters:
    ///   - isTop: Whether they are of the lane with the largest weight, for which a tenth of the sender is kept.
    ///   - isFresh: Whether one of the lane has not failed.
    private func allowance(_ tenant: Int, isTop: Bool, isFresh: Bool, at now: MonotonicTime) -> LaneQueue.Allowance {
        let limit = tenants[tenant].sender.count(at: now)
        let kept = isTop && mayFill(tenant, limit) ? 0 : limit / 10
        var room = limit - tenants[tenant].inFlight - kept
        var isProbe = false
        if isBlocked(tenant) {
            for allowance in [
                tenants[tenant].circuit.allowance(at: now, isFresh: isFresh),
                hostAllowance(tenant, isFresh: isFresh, at: now),
            ] {
                switch allowance {
                case .all: break
                case .one:
                    room = min(room, 1)
                    isProbe = true
                case .none: return LaneQueue.Allowance(pushes: 0)
                }
            }
        }
        // Another lane has one that has not failed.
        if isProbe, !isFresh, hasFresh(tenant) { return LaneQueue.Allowance(pushes: 0) }
        if let rate { room = min(room, rate.tokens) }
        if let tokens = tenants[tenant].rate?.tokens { room = min(room, tokens) }
        return LaneQueue.Allowance(pushes: max(0, room), isProbe: isProbe)
    }

    /// Whether the first lane may send what is kept for it: less than that is in flight, or no other lane has a push of the tenant.
    /// If it always could, a backlog of it would leave nothing to the others.
    private func mayFill(_ tenant: Int, _ limit: Int) -> Bool {
        tenants[tenant].topInFlight < limit / 10 || lanes.dropFirst().allSatisfy { $0.count(of: tenant) == 0 }
    }

    /// Whether it is too late to send a push.
    func hasExpired(_ push: WaitingPush, at now: MonotonicTime) -> Bool {
        guard push.expires != .max, let time = engineTime(at: now) else { return false }
        return time >= push.expires
    }

    private mutating func send(
        _ push: WaitingPush, _ tenant: Int, into batch: inout [OutgoingPush], at now: MonotonicTime
    ) {
        var reference = push.reference
        let slot = Int(reference.slot)
        let line = Int(reference.line)
        leaveNewest(push, of: tenant)
        // It was superseded, or another worker has it.
        guard isWaiting(reference), !slots[slot].isLost else { return }
        if hasExpired(push, at: now) {
            end(slot, line, counted: "expired")
            return finishIfDone(slot, at: now)
        }
        if !resting.isEmpty, let until = resting[push.submission.bulkDeviceToken] {
            if until > now {
                let group = HeldJob.Group(
                    wait: (until - now) * (1 + randomPart() / 5), attempt: slots[slot].attempts(line),
                    reason: "resting", why: "APNs asked to send less to this device", isEvent: false)
                end(slot, line, in: group)
                return finishIfDone(slot, at: now)
            }
            resting[push.submission.bulkDeviceToken] = nil
        }
        if tenants[tenant].inFlight == 0 { tenants[tenant].answers.begin(at: now) }
        slots[slot].lines[line] = .inFlight
        slots[slot].inFlight += 1
        inFlight += 1
        laneInFlight[slots[slot].lane] += 1
        tenants[tenant].inFlight += 1
        if slots[slot].lane == 0 { tenants[tenant].topInFlight += 1 }
        rate?.take(1)
        tenants[tenant].rate?.take(1)
        reference.credentials = credentials
        reference.probesTenant = tenants[tenant].circuit.probing()
        reference.probesHost = hosts[tenants[tenant].host].circuit.probing()
        batch.append(OutgoingPush(reference: reference, submission: push.submission))
    }

    // MARK: Limits

    /// What to ask the engine for: tokens of the limit of all, and of each tenant.
    package mutating func rateDemands(at now: MonotonicTime) -> [RateDemand] {
        guard !isDraining else { return [] }
        var demands: [RateDemand] = []
        if let demand = rate?.demand(waiting, at: now) { demands.append(demand) }
        for tenant in tenants.indices where tenants[tenant].rate != nil {
            let waiting = waitingCount(of: tenant)
            if let demand = tenants[tenant].rate?.demand(waiting, at: now) { demands.append(demand) }
        }
        return demands
    }

    /// - Parameter grants: In the order of the demands; nil when the engine gave no answer.
    package mutating func granted(_ demands: [RateDemand], _ grants: [RateGrant]?, at now: MonotonicTime) {
        for (index, demand) in demands.enumerated() {
            let grant = grants.flatMap { index < $0.count ? $0[index] : nil }
            if rate?.bucket == demand.bucket { rate?.granted(grant, at: now) }
            for tenant in tenants.indices where tenants[tenant].rate?.bucket == demand.bucket {
                tenants[tenant].rate?.granted(grant, at: now)
            }
        }
    }
}
