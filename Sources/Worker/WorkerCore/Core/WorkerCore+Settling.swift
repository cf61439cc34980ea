package import APNSModel
package import PushQueue

extension WorkerCore {
    /// Whether there is something to settle.
    package var hasEnded: Bool { !ended.isEmpty }

    /// Whether there is a job that the engine refused to settle.
    package var hasRefused: Bool { !refused.isEmpty }

    /// The job is finished, and is settled next.
    mutating func conclude(_ slot: Int) {
        unsettledLines += slots[slot].lines.count
        ended.append(slot)
    }

    /// Settlements for the engine, at most `limit`, and no more than an engine takes in one call. Call `settled` or
    /// `settlingFailed` before the next call.
    package mutating func takeSettlements(_ limit: Int, at now: MonotonicTime) -> [Settlement] {
        guard settling.isEmpty else { return [] }
        var settlements: [Settlement] = []
        var bytes = 0
        let time = engineTime(at: now)
        while settlements.count < limit, let slot = ended.popFirst() {
            guard slots[slot].isHeld else { continue }
            let settlement =
                slots[slot].hasConsequences
                ? slots[slot].wholeSettlement(at: time) : Settlement(slots[slot].job.id)
            bytes += settlement.byteCount
            let isAlone = carefulSettlements > 0 && !settlement.isEmpty
            guard settlements.isEmpty || !isAlone && bytes <= WorkerCore.maximumSettledBytes else {
                ended.prepend(slot)
                break
            }
            settling.append(slot)
            settlements.append(settlement)
            if isAlone { break }
        }
        return settlements
    }

    package mutating func settled(_ results: [SettlementResult]) {
        for (slot, result) in zip(settling, results) {
            if result == .settled { counts.settledJobs += 1 } else { counts.late += 1 }
            unsettledLines -= slots[slot].lines.count
            refused.remove(slot)
            forget(slot)
        }
        carefulSettlements = max(0, carefulSettlements - settling.count)
        settling = []
    }

    /// The engine did not answer, or could not: the same settlements come again.
    ///
    /// - Parameter isRefused: Whether a single settlement may be the cause, as when the engine is too full for what it
    ///   writes. Then those that write something are sent one by one, and one that is refused alone is moved behind the
    ///   others.
    package mutating func settlingFailed(isRefused: Bool = false) {
        if isRefused, settling.count == 1 {
            carefulSettlements = max(0, carefulSettlements - 1)
            refused.formUnion(settling)
            ended.append(settling[0])
        } else {
            if isRefused { carefulSettlements = settling.count }
            for slot in settling.reversed() { ended.prepend(slot) }
        }
        settling = []
    }

    // MARK: Leases

    /// The jobs whose leases have to start anew; none before it is time.
    package mutating func leasesToExtend(at now: MonotonicTime) -> [JobID] {
        guard now >= nextExtension else { return [] }
        let jobs = held.filter { !slots[$0.value].isLost }.map(\.key)
        guard !jobs.isEmpty else {
            firstLeaseEnd = MonotonicTime(nanoseconds: .max)
            nextExtension = MonotonicTime(nanoseconds: .max)
            return []
        }
        nextExtension = now + .milliseconds(500)
        return jobs
    }

    mutating func updateFirstLeaseEnd() {
        var first = MonotonicTime(nanoseconds: .max)
        for slot in held.values {
            guard slots[slot].open > 0, !slots[slot].isLost else { continue }
            first = min(first, slots[slot].leaseEnds)
        }
        firstLeaseEnd = first
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
                guard !slots[slot].isLost, slots[slot].open != 0 else { continue }
                lostJobs += 1
                lose(slot)
            } else {
                slots[slot].leaseEnds = start + settings.lease
            }
        }
        updateFirstLeaseEnd()
        nextExtension = held.isEmpty ? MonotonicTime(nanoseconds: .max) : start + settings.lease / 3
        guard lostJobs > 0 else { return }
        dropLost()
        counts.lost += lostJobs
        events.append(.jobsLost(lostJobs))
    }

    /// Another worker has the job: its waiting lines are not sent here. It is settled here only if the lines in flight
    /// are all that is left.
    private mutating func lose(_ slot: Int) {
        slots[slot].isLost = true
        guard slots[slot].inFlight == 0 else { return }
        forget(slot)
    }

    /// Removes the waiting pushes of lost jobs from their lanes. They would count as waiting while their tenant is paused.
    private mutating func dropLost() {
        for lane in lanes.indices {
            for (tenant, pushes) in lanes[lane].removeAll() {
                for push in pushes {
                    if let job = heldIfWaiting(push.reference) {
                        if job.failures[Int(push.reference.line)] == nil {
                            lanes[lane].append(push, of: tenant)
                        } else {
                            lanes[lane].appendFailed(push, of: tenant)
                        }
                    } else {
                        waiting -= 1
                        leaveNewest(push, of: tenant)
                    }
                }
            }
        }
    }
}
