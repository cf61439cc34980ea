package import APNSModel
package import PushQueue

extension WorkerCore {
    /// Whether there is something to settle.
    package var hasEnded: Bool { !ended.isEmpty }

    /// Settlements for the engine. Call `settled` or `settlingFailed` before the next call.
    package mutating func takeSettlements(_ limit: Int, at now: MonotonicTime) -> [Settlement] {
        guard settling.isEmpty else { return [] }
        var settlements: [Settlement] = []
        let time = engineTime(at: now)
        while settlements.count < limit, let slot = ended.popFirst() {
            guard let job = slots[slot] else { continue }
            settling.append(slot)
            settlements.append(job.wholeSettlement(at: time ?? job.job.enqueuedAt))
        }
        return settlements
    }

    package mutating func settled(_ results: [SettlementResult]) {
        for (slot, result) in zip(settling, results) {
            if result == .settled { counts.settledJobs += 1 } else { counts.late += 1 }
            forget(slot)
        }
        settling = []
    }

    /// The engine did not answer, or could not: the same settlements come again.
    package mutating func settlingFailed() {
        for slot in settling.reversed() { ended.prepend(slot) }
        settling = []
    }

    // MARK: Leases

    /// The jobs whose leases have to start anew; none before it is time.
    package mutating func leasesToExtend(at now: MonotonicTime) -> [JobID] {
        guard now >= nextExtension || now >= firstLeaseEnd else { return [] }
        guard !held.isEmpty else {
            firstLeaseEnd = MonotonicTime(nanoseconds: .max)
            nextExtension = MonotonicTime(nanoseconds: .max)
            return []
        }
        nextExtension = now + .milliseconds(500)
        return Array(held.keys)
    }

    /// The engine extended these leases.
    ///
    /// - Parameters:
    ///   - lost: Those that another worker has, or that are settled.
    ///   - start: When the engine was asked.
    package mutating func extended(_ jobs: [JobID], lost: [JobID], start: MonotonicTime) {
        let lost = Set(lost)
        var lostJobs = 0
        for id in jobs {
            guard let slot = held[id] else { continue }
            if lost.contains(id) {
                guard slots[slot]?.isLost == false, slots[slot]?.open != 0 else { continue }
                lostJobs += 1
                lose(slot)
            } else {
                slots[slot]?.leaseEnds = start + settings.lease
            }
        }
        firstLeaseEnd =
            held.values.compactMap { slot in slots[slot].flatMap { $0.isLost ? nil : $0.leaseEnds } }.min()
            ?? MonotonicTime(nanoseconds: .max)
        nextExtension = held.isEmpty ? MonotonicTime(nanoseconds: .max) : start + settings.lease / 3
        guard lostJobs > 0 else { return }
        counts.lost += lostJobs
        events.append(.jobsLost(lostJobs))
    }

    /// Another worker has the job: what waits is not sent here. What is in flight is settled, if that is all of the job.
    private mutating func lose(_ slot: Int) {
        slots[slot]?.isLost = true
        guard let job = slots[slot], job.inFlight == 0 else { return }
        forget(slot)
    }
}
