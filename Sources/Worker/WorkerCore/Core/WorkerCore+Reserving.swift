package import APNSModel
import APNSProvider
package import PushQueue

extension WorkerCore {
    // MARK: What to reserve

    /// What to reserve now; none while the window is full, nothing can be sent or settled, or the worker drains.
    package func demands(at now: MonotonicTime) -> [LaneDemand] {
        guard !isDraining, unsettledLines < 4 * settings.window, !isWaitingForNothing(at: now) else { return [] }
        let used = waiting + inFlight
        // With a rate limit, more pushes than two seconds allow would only wait here.
        let limit = settings.rate.map { min(settings.window, max(LaneQueue.quantum, 2 * $0)) } ?? settings.window
        if isAlmostFull(used, of: limit) {
            // A tenth of the window is kept for the first lane, until it holds that much.
            let kept = min(limit / 10 - laneHeld(0), limit + limit / 10 - used)
            return demands([kept] + isLaneEmpty.dropFirst().map { _ in 0 })
        }
        // The probe is enough, and it needs no more than a push of it.
        if tenants.count == 1, isBlocked(0), !settings.isOnce { return demands(isLaneEmpty.map { _ in 1 }) }
        // Lanes that were empty ask for one job, and for the rest those that hold less than their part of the window.
        let busy = isLaneEmpty.contains(false) ? isLaneEmpty.map { !$0 } : isLaneEmpty
        let parts = settings.lanes.shares(of: limit, wanting: busy)
        let wanting = busy.indices.map { busy[$0] && laneHeld($0) < parts[$0] }
        var shares = settings.lanes.shares(of: limit - used, wanting: wanting.contains(true) ? wanting : busy)
        for lane in shares.indices where shares[lane] == 0 {
            if isLaneEmpty[lane] || laneHeld(lane) == 0 { shares[lane] = 1 }
        }
        return demands(shares)
    }

    /// How many pushes of a lane are in the window.
    private func laneHeld(_ lane: Int) -> Int { lanes[lane].count + laneInFlight[lane] }

    private func demands(_ shares: [Int]) -> [LaneDemand] {
        let wanted = zip(shares, expectedLines).map { ($0 + $1 - 1) / $1 }
        // Where one lane wants more jobs than it may ask for, the others ask for less in proportion.
        let most = max(WorkerSettings.maximumJobs, wanted.max() ?? 0)
        return settings.lanes.lanes.indices.compactMap { lane in
            guard shares[lane] > 0 else { return nil }
            let jobs = wanted[lane] * WorkerSettings.maximumJobs / most
            let fitting = WorkerSettings.expectedReservationBytes / expectedBytes[lane]
            let limit = min(WorkerSettings.maximumJobs, max(WorkerSettings.carefulJobs, 2 * reservedJobs[lane]))
            return LaneDemand(settings.lanes.lanes[lane].name, jobs: max(1, min(jobs, fitting, limit)))
        }
    }

    /// Whether every tenant is blocked, and for none a push may be reserved as a probe. Where only pushes wait that have failed,
    /// another one is reserved before it is time, so that it is the next probe.
    private func isWaitingForNothing(at now: MonotonicTime) -> Bool {
        guard !settings.isOnce, !tenants.isEmpty else { return false }
        return tenants.indices.allSatisfy {
            isBlocked($0) && (hasFresh($0) || waitingCount(of: $0) == 0 && !mayProbe($0, at: now))
        }
    }

    // MARK: What came

    /// A job, and how many lines it has.
    package struct ReservedJob: Sendable {
        let job: Job
        let lineCount: Int

        package init(_ job: Job) {
            self.job = job
            lineCount = JobReader.lineCount(job.content.body)
        }
    }

    /// One whose lines are to be read.
    package struct AdmittedJob: Sendable {
        let job: Job
        package let lineCount: Int
        package let tenant: Int
        let lane: Int
    }

    /// Notes the answer of the engine. Call it before the jobs are admitted.
    ///
    /// - Parameters:
    ///   - asked: What was asked for.
    ///   - start: When the engine was asked; nil is `now`. The leases may have begun as early as that.
    package mutating func reserved(
        _ reservation: Reservation, asked: [LaneDemand], since start: MonotonicTime? = nil, at now: MonotonicTime
    ) {
        leaseStart = start ?? now
        engineOffset = reservation.time - now.nanoseconds / 1_000_000
        for demand in asked {
            guard let lane = lane(demand.lane) else { continue }
            reservedJobs[lane] = reservation.jobs.count { $0.content.lane == demand.lane }
            isLaneEmpty[lane] = reservedJobs[lane] < demand.jobs
        }
    }

    private func lane(_ name: LaneName) -> Int? { settings.lanes.lanes.firstIndex { $0.name == name } }

    /// How many lines are read before their pushes go to the senders.
    private static let linesAtOnce = 256

    /// Admits the first of these jobs, with some lines at most. Where it depends on what waits whether the next one is taken, that
    /// one stays for the next call, before which these are taken.
    ///
    /// - Parameter jobs: Those that were not looked at stay.
    /// - Returns: Those to call `take` for. The others are finished, or are held already.
    package mutating func admit(_ jobs: inout ArraySlice<ReservedJob>, at now: MonotonicTime) -> [AdmittedJob] {
        var admitted: [AdmittedJob] = []
        var lines = 0
        while let next = jobs.popFirst() {
            guard let lane = lane(next.job.content.lane),
                let tenant = admit(next.job, lane, lines: next.lineCount, at: now)
            else { continue }
            admitted.append(AdmittedJob(job: next.job, lineCount: next.lineCount, tenant: tenant, lane: lane))
            lines += next.lineCount
            if lines >= WorkerCore.linesAtOnce || isBlocked(tenant) || mayDefer(tenant, with: lines) { break }
        }
        return admitted
    }

    /// Whether the next job of a tenant may have to wait in the engine once it has so many more lines here.
    private func mayDefer(_ tenant: Int, with lines: Int) -> Bool {
        guard tenants.count > 1 else { return false }
        return tenants[tenant].rate != nil
            || waitingCount(of: tenant) + tenants[tenant].inFlight + lines > settings.window / 2
    }

    /// - Returns: The tenant, where the lines of the job are to be read.
    private mutating func admit(_ job: Job, _ lane: Int, lines: Int, at now: MonotonicTime) -> Int? {
        if let slot = held[job.id] {
            // Its lease ended and it came back to the same worker, which still works on it. One that was lost in between
            // stays so, because a part of what waited was left out.
            guard !slots[slot].isLost else { return nil }
            slots[slot].leaseEnds = leaseStart + settings.lease
            updateFirstLeaseEnd()
            return nil
        }
        if job.deliveries > 1 { counts.redelivered += 1 }
        expectedLines[lane] = max(1, (expectedLines[lane] + max(1, min(lines, JobReader.maximumLines))) / 2)
        expectedBytes[lane] = max(1, (expectedBytes[lane] + job.content.body.count) / 2)
        if let problem = JobReader.problem(of: job, lines: lines) {
            bury(job, lane, reason: problem.reason, why: problem.why, at: now)
            return nil
        }
        if job.deliveries > settings.maximumDeliveries {
            bury(
                job, lane, reason: "never-settled",
                why:
                    "the job was delivered \(job.deliveries) times, and no worker settled it; it may be what stops workers",
                at: now)
            return nil
        }
        guard let tenant = tenantIndex[job.content.tenant] else {
            let name = job.content.tenant.map { "the tenant \(ShownText.quoted($0)) is not configured" }
            bury(
                job, lane, reason: DeadLetterMeter.unknownTenant,
                why: (name ?? "the job has no tenant, and the worker was started without credentials of its own")
                    + "; add it to --tenants and retry the dead job", at: now)
            return nil
        }
        if let (wait, why) = deferral(of: tenant, at: now) {
            let slot = hold(job, tenant, lane, lineCount: nil)
            deferJob(slot, wait, why)
            return nil
        }
        return tenant
    }

    /// How long a job of a tenant should wait in the engine, so that it does not fill the window, and why; nil to take it.
    private mutating func deferral(of tenant: Int, at now: MonotonicTime) -> (wait: Duration, why: String)? {
        if isBlocked(tenant) {
            // One job stays where a push may be tried: its outcome ends the pause.
            let isProbe = mayProbe(tenant, at: now) && !hasFresh(tenant)
            if !isProbe, sendsElsewhere(than: tenant) { return (blockedWait(tenant, at: now), blockedWhy(tenant)) }
        }
        if let wait = crowdedWait(tenant, at: now) { return (wait, crowdedWhy(tenant)) }
        guard tenants.count > 1, let rate = tenants[tenant].rate?.perSecond else { return nil }
        let here = waitingCount(of: tenant)
        guard here > max(LaneQueue.quantum * 2, rate * 2) else { return nil }
        let wait = Duration.milliseconds(Int64(here) * 1000 / Int64(rate)) * (1 + randomPart() / 5)
        return (wait, crowdedWhy(tenant))
    }

    /// Whether no circuit of a tenant forbids a push now that has not failed.
    private func mayProbe(_ tenant: Int, at now: MonotonicTime) -> Bool {
        for allowance in [
            tenants[tenant].circuit.allowance(at: now, isFresh: true), hostAllowance(tenant, isFresh: true, at: now),
        ] {
            if case .none = allowance { return false }
        }
        return true
    }

    /// What the breaker of its host allows a tenant now. The tenant whose push has opened it leaves the next one to the others
    /// of the host for a while, because what it failed by may concern no other.
    ///
    /// - Parameter isFresh: Whether the push has not failed yet.
    func hostAllowance(_ tenant: Int, isFresh: Bool, at now: MonotonicTime) -> Circuit.Allowance {
        let host = tenants[tenant].host
        guard hosts[host].failed == tenant, hosts[host].tenants > 1,
            let next = hosts[host].circuit.nextProbe(isFresh: isFresh), now < next + WorkerCore.turn
        else { return hosts[host].circuit.allowance(at: now, isFresh: isFresh) }
        return .none(until: next + WorkerCore.turn)
    }

    func waitingCount(of tenant: Int) -> Int { lanes.reduce(0) { $0 + $1.count(of: tenant) } }

    /// Whether a push of a tenant waits that has not failed.
    func hasFresh(_ tenant: Int) -> Bool { lanes.contains { $0.hasFresh(of: tenant) } }

    /// Whether the jobs of a blocked tenant take up space in the window that others need, or keep a worker with `--once`
    /// running.
    func sendsElsewhere(than tenant: Int) -> Bool {
        if !tenants[tenant].circuit.isClosed { return settings.isOnce || tenants.count > 1 }
        return hosts.count > 1 || isTired(of: tenants[tenant].host)
    }

    /// Whether a worker with `--once` has tried an unreachable host so often that it no longer waits for it.
    func isTired(of host: Int) -> Bool {
        guard settings.isOnce, case .open(_, let step) = hosts[host].circuit.state else { return false }
        return step > 4
    }

    mutating func blockedWait(_ tenant: Int, at now: MonotonicTime) -> Duration {
        wait(of: tenant, isFresh: true, at: now) * (1 + randomPart() / 5)
    }

    /// How long until the circuits of a tenant allow a push, at least a second.
    func wait(of tenant: Int, isFresh: Bool, at now: MonotonicTime) -> Duration {
        var wait = Duration.seconds(1)
        for circuit in [tenants[tenant].circuit, hosts[tenants[tenant].host].circuit] {
            if let next = circuit.nextProbe(isFresh: isFresh) { wait = max(wait, next - now) }
        }
        return wait
    }

    /// Admits all jobs of a reservation and takes their lines, for a caller that has the core for itself.
    package mutating func take(_ jobs: [Job], with reader: inout JobReader, at now: MonotonicTime) {
        var jobs = jobs.map(ReservedJob.init)[...]
        while !jobs.isEmpty {
            let admitted = admit(&jobs, at: now)
            var lines: [JobLine] = []
            for job in admitted { reader.read(job, into: &lines) }
            take(admitted, lines: lines, at: now)
        }
    }

    /// Takes the lines of jobs into the window.
    ///
    /// - Parameter lines: Those of all the jobs, one after the other.
    package mutating func take(_ admitted: [AdmittedJob], lines: [JobLine], at now: MonotonicTime) {
        var place = 0
        for job in admitted {
            take(job, lines, from: place, at: now)
            place += job.lineCount
        }
        precondition(place == lines.count, "each line of a job is read once")
    }

    private mutating func take(_ admitted: AdmittedJob, _ lines: [JobLine], from place: Int, at now: MonotonicTime) {
        let (job, tenant, lane) = (admitted.job, admitted.tenant, admitted.lane)
        guard held[job.id] == nil else { return }
        let slot = hold(job, tenant, lane, lineCount: admitted.lineCount)
        let (first, since) = (slots[slot].first, slots[slot].since)
        for number in 0..<admitted.lineCount {
            let reference = PushReference(
                slot: Int32(slot), generation: generations[slot], line: Int32(number))
            switch lines[place + number] {
            case .bad(let reason, let why):
                end(slot, number, dead: reason, why: why, attempt: job.content.attempt, at: now)
            case .notification(let submission):
                let push = WaitingPush(
                    reference: reference, submission: submission,
                    expires: expiry(submission.notification?.expiration, since: since))
                // Before it could replace an older one, which may still be sent.
                guard !hasExpired(push, at: now) else {
                    end(slot, number, counted: "expired")
                    continue
                }
                guard supersede(push, tenant, first, at: now) else { continue }
                lanes[lane].append(push, of: tenant)
                waiting += 1
            }
        }
        finishIfDone(slot, at: now)
    }

    /// Ends the older one of two pushes with the same collapse id that both wait.
    ///
    /// - Returns: Whether this push waits.
    private mutating func supersede(
        _ push: WaitingPush, _ tenant: Int, _ first: Int64, at now: MonotonicTime
    ) -> Bool {
        guard settings.collapses, let key = CollapseKey(push, of: tenant) else { return true }
        guard let old = newest[key], isWaiting(old) else {
            newest[key] = push.reference
            return true
        }
        let loser = slots[Int(old.slot)].first > first ? push.reference : old
        if loser != push.reference { newest[key] = push.reference }
        end(Int(loser.slot), Int(loser.line), counted: "superseded")
        // The job of this push is finished by `take`, after its last line.
        if loser.slot != push.reference.slot { finishIfDone(Int(loser.slot), at: now) }
        return loser != push.reference
    }

    /// The push no longer waits, so a newer one with the same collapse id cannot replace it.
    mutating func leaveNewest(_ push: WaitingPush, of tenant: Int) {
        guard !newest.isEmpty, let key = CollapseKey(push, of: tenant) else { return }
        if newest[key] == push.reference { newest[key] = nil }
    }

    /// Whether a push still waits.
    func isWaiting(_ reference: PushReference) -> Bool {
        let slot = Int(reference.slot)
        return generations[slot] == reference.generation && slots[slot].isHeld
            && slots[slot].lines[Int(reference.line)] == .waiting
    }

    /// The job of a push that still waits, unless another worker has it.
    func heldIfWaiting(_ reference: PushReference) -> HeldJob? {
        let slot = Int(reference.slot)
        return isWaiting(reference) && !slots[slot].isLost ? slots[slot] : nil
    }

    // MARK: Slots

    /// - Parameter lineCount: Nil for a job whose body counts as one line.
    private mutating func hold(_ job: Job, _ tenant: Int, _ lane: Int, lineCount: Int?) -> Int {
        let leaseEnds = leaseStart + settings.lease
        firstLeaseEnd = min(firstLeaseEnd, leaseEnds)
        if nextExtension.nanoseconds == .max { nextExtension = leaseStart + settings.lease / 3 }
        let heldJob = HeldJob(job, lineCount: lineCount, tenant: tenant, lane: lane, leaseEnds: leaseEnds)
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = heldJob
        } else {
            slot = slots.count
            slots.append(heldJob)
            generations.append(0)
        }
        held[job.id] = slot
        return slot
    }

    /// Removes the job from this worker, settled or not.
    mutating func forget(_ slot: Int) {
        guard slots[slot].isHeld else { return }
        held[slots[slot].job.id] = nil
        if held.isEmpty { firstLeaseEnd = MonotonicTime(nanoseconds: .max) }
        slots[slot] = .free
        generations[slot] &+= 1
        freeSlots.append(slot)
    }

    /// A job of which nothing can be sent.
    private mutating func bury(_ job: Job, _ lane: Int, reason: String, why: String, at now: MonotonicTime) {
        let slot = hold(job, 0, lane, lineCount: nil)
        end(slot, 0, dead: reason, why: why, attempt: job.content.attempt, at: now)
        finishIfDone(slot, at: now)
    }

    /// The whole job waits in the engine, as it is.
    private mutating func deferJob(_ slot: Int, _ wait: Duration, _ why: String) {
        var job = slots[slot]
        var content = job.job.content
        var context = job.context
        let derived = DerivedID(job.job.id)
        context.ids = JobReader.lineRanges(content.body).indices.map { context.id(of: $0, or: derived) }
        job.note(&context)
        content.context = context.text
        job.settlement.later.append(
            LaterContent(content, due: .after(wait), reason: OutcomeTable.deferred, why: why))
        job.lines[0] = .done
        job.open = 0
        slots[slot] = job
        conclude(slot)
    }
}
