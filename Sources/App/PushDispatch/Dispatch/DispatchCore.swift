/// The decisions of a dispatcher, without clock, task or store.
///
/// A *work* is one run of the handler for one hint; a *delivery* is one call of the system waiting for its result. Twins
/// make several deliveries of one work. The shell does as told, and reports back with the work's id.
package struct DispatchCore: Sendable {
    package struct WorkID: Hashable, Comparable, Sendable {
        fileprivate let number: Int

        /// In the order of their beginning.
        package static func < (left: WorkID, right: WorkID) -> Bool { left.number < right.number }
    }
    package struct DeliveryID: Hashable, Sendable { fileprivate let number: Int }

    package let types: HintTypes
    package let policy: DispatchPolicy
    private var works: [WorkID: Work] = [:]
    /// The newest work for a payload that still has something to do.
    private var newest: [PushIdentity: WorkID] = [:]
    private var recent: [Recent] = []
    private var lastNumber = 0
    /// Handlers started and not returned, or waiting for their turn.
    private var handlers = 0
    private var deliveries = 0

    package init(types: HintTypes, policy: DispatchPolicy) {
        self.types = types
        self.policy = policy
    }

    private struct Work: Sendable {
        let identity: PushIdentity
        let hint: Hint
        let arrived: DispatchMoment
        var entryPoints: Set<EntryPoint>
        var deadline: DispatchMoment
        var deliveries: [DeliveryID]
        var phase: Phase
        var follower: WorkID?
        var done: Set<RecordID> = []
        var changed = 0
        /// Whether what is unfinished is kept, or needs not to be.
        var isKept = false
        /// Whether the handler, told to stop for want of time, has not returned: what it is just storing counts.
        var isStopping = false

        var stopReport: HandlerReport {
            HandlerReport(changed: changed, unfinished: hint.records.filter { !done.contains($0) })
        }
    }

    private enum Phase: Hashable, Sendable {
        /// Its turn comes when the work before it for the same payload has ended.
        case waiting
        /// The handler runs, and no request of it has gone out.
        case running
        case requested
        /// The handler is over or stopped; what is unfinished is being kept.
        case settling(PushResult)
    }

    private struct Recent: Sendable {
        let identity: PushIdentity
        let arrived: DispatchMoment
        var entryPoints: Set<EntryPoint>
    }
}

// MARK: - What the shell is told

extension DispatchCore {
    package enum OnReceive: Hashable, Sendable {
        case ignore(PushIgnoreCause)
        case dropDuplicate
        /// Wait for the work, which has less time than before where the twin's deadline is the earlier one.
        case join(Timing)
        case fetchAgain(Timing)
        case start(Start)
        case settle(Settlement, DispatchEvent.StopCause)
    }

    package struct Reception: Hashable, Sendable {
        package let delivery: DeliveryID
        package let issues: [PushIssue]
        package let decision: OnReceive
    }

    /// When the shell has to call `timeRanOut` and then `deadlineReached`.
    package struct Timing: Hashable, Sendable {
        package let work: WorkID
        package let stopAt: DispatchMoment
        package let deadline: DispatchMoment
    }

    package struct Start: Hashable, Sendable {
        package let hint: Hint
        package let timing: Timing
    }

    /// The handler is over or told to stop: keep what is unfinished, then call `kept(_:)`.
    package struct Settlement: Hashable, Sendable {
        package let timing: Timing
        package let keep: Hint?
        /// The work that waited for this one.
        package let next: Start?
    }

    package struct Answers: Hashable, Sendable {
        package let deliveries: [DeliveryID]
        /// False where the store was still at it.
        package let isKept: Bool
        package let result: PushResult
        package let arrived: DispatchMoment
    }
}

// MARK: - What the shell reports

extension DispatchCore {
    /// - Parameter deadline: When the result has to be out; nil for the policy's budget.
    package mutating func receive(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?, at now: DispatchMoment
    ) -> Reception {
        receive(push, types.read(push), from: entryPoint, deadline: deadline, at: now)
    }

    /// The same for a push that was read already; its hint may name no records.
    package mutating func receive(
        _ push: Push, _ reading: HintReading, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        at now: DispatchMoment
    ) -> Reception {
        let delivery = DeliveryID(number: nextNumber())
        let decision: OnReceive
        switch reading.outcome {
        case .nothing(let reason): decision = .ignore(reason)
        case .hint(let hint):
            let work = Work(
                identity: PushIdentity(push, identityKey: policy.identityKey), hint: hint, arrived: now,
                entryPoints: [entryPoint],
                deadline: deadline ?? now.advanced(byMilliseconds: policy.budgetMilliseconds),
                deliveries: [delivery], phase: .running)
            decision = receive(work, from: entryPoint, at: now)
        }
        return Reception(delivery: delivery, issues: reading.issues, decision: decision)
    }

    private mutating func receive(_ work: Work, from entryPoint: EntryPoint, at now: DispatchMoment) -> OnReceive {
        if let id = newest[work.identity], var current = works[id] {
            let isDuplicate =
                switch current.phase {
                case .waiting, .running: true
                case .requested, .settling: isOtherEntryPoint(current.entryPoints, current.arrived, entryPoint, now)
                }
            guard deliveries < policy.maximumWaiting else { return settleAtOnce(work, .tooMany) }
            if isDuplicate {
                current.entryPoints.insert(entryPoint)
                current.deadline = min(current.deadline, work.deadline)
                current.deliveries += work.deliveries
                deliveries += 1
                works[id] = current
                return .join(timing(id, current))
            }
            return begin(work, after: id, at: now)
        }
        if let index = recent.firstIndex(where: {
            $0.identity == work.identity && isOtherEntryPoint($0.entryPoints, $0.arrived, entryPoint, now)
        }) {
            recent[index].entryPoints.insert(entryPoint)
            return .dropDuplicate
        }
        return begin(work, after: nil, at: now)
    }

    /// Whether the same payload a moment ago came in elsewhere, and so is the same push. By the same entry point it is
    /// another push, since the system brings each push there once.
    private func isOtherEntryPoint(
        _ seen: Set<EntryPoint>, _ arrived: DispatchMoment, _ entryPoint: EntryPoint, _ now: DispatchMoment
    ) -> Bool {
        !seen.contains(entryPoint) && now.milliseconds(since: arrived) <= policy.duplicateWindowMilliseconds
    }

    private mutating func begin(_ work: Work, after previous: WorkID?, at now: DispatchMoment) -> OnReceive {
        var work = work
        guard stopAt(work) > now else { return settleAtOnce(work, .tooLate) }
        guard handlers < policy.maximumHandlers, deliveries < policy.maximumWaiting else {
            return settleAtOnce(work, .tooMany)
        }
        let id = WorkID(number: nextNumber())
        handlers += 1
        deliveries += 1
        newest[work.identity] = id
        if let previous {
            work.phase = .waiting
            works[previous]?.follower = id
            works[id] = work
            return .fetchAgain(timing(id, work))
        }
        works[id] = work
        return .start(Start(hint: work.hint, timing: timing(id, work)))
    }

    private mutating func settleAtOnce(_ work: Work, _ cause: DispatchEvent.StopCause) -> OnReceive {
        var work = work
        let id = WorkID(number: nextNumber())
        deliveries += 1
        work.phase = .settling(.failed)
        works[id] = work
        return .settle(Settlement(timing: timing(id, work), keep: work.hint, next: nil), cause)
    }

    /// The handler is about to send its first request.
    package mutating func willSendRequest(_ id: WorkID) {
        if works[id]?.phase == .running { works[id]?.phase = .requested }
    }

    package mutating func done(_ id: WorkID, _ records: [RecordID], changed: Int) {
        works[id]?.done.formUnion(records)
        works[id]?.changed += max(0, changed)
    }

    /// - Parameter report: Nil where the handler threw; what it reported done on the way then counts.
    /// - Returns: Nil where the handler was stopped before; `answers(ready:)` may have something then.
    package mutating func handlerReturned(_ id: WorkID, _ report: HandlerReport?) -> Settlement? {
        handlers -= 1
        guard let work = works[id] else { return nil }
        var told = report ?? work.stopReport
        if report == nil { told.isFailed = true }
        // What it told on the way is stored, whatever it adds up at the end.
        told.changed = max(told.changed, work.changed)
        switch work.phase {
        case .waiting: return nil
        case .running, .requested: return settle(id, work, told)
        case .settling:
            if work.isStopping { works[id]?.phase = .settling(told.result) }
            works[id]?.isStopping = false
            return nil
        }
    }

    /// The handler is to stop. Until the deadline it may still say what it was just storing.
    ///
    /// - Returns: Nil where the work is over, or has more time.
    package mutating func timeRanOut(_ id: WorkID, at now: DispatchMoment) -> Settlement? {
        guard let work = works[id], stopAt(work) <= now, let settlement = stop(id, work) else { return nil }
        works[id]?.isStopping = work.phase != .waiting
        return settlement
    }

    /// Whoever waits for the delivery was cancelled: the work stops, for twins too, and is kept.
    package mutating func cancelled(_ delivery: DeliveryID) -> Settlement? {
        guard let (id, work) = works.first(where: { $0.value.deliveries.contains(delivery) }) else { return nil }
        return stop(id, work)
    }

    /// Another user: whatever is under way ends with nothing kept, and no push is remembered.
    ///
    /// - Returns: The works to be answered.
    package mutating func dropAll() -> [WorkID] {
        newest = [:]
        recent = []
        var dropped: [WorkID] = []
        for (id, work) in works {
            switch work.phase {
            case .settling: continue
            case .waiting: handlers -= 1
            case .running, .requested: break
            }
            works[id]?.phase = .settling(work.changed > 0 ? .newData : .noData)
            works[id]?.follower = nil
            dropped.append(id)
        }
        return dropped.sorted { $0.number < $1.number }
    }

    private mutating func stop(_ id: WorkID, _ work: Work) -> Settlement? {
        switch work.phase {
        case .settling: return nil
        case .waiting: handlers -= 1
        case .running, .requested: break
        }
        var report = work.stopReport
        report.isFailed = true
        return settle(id, work, report)
    }

    private mutating func settle(_ id: WorkID, _ work: Work, _ report: HandlerReport) -> Settlement {
        var work = work
        work.phase = .settling(report.result)
        var next: Start?
        if let follower = work.follower, works[follower]?.phase == .waiting, var started = works[follower] {
            started.phase = .running
            works[follower] = started
            next = Start(hint: started.hint, timing: timing(follower, started))
        }
        if newest[work.identity] == id { newest[work.identity] = nil }
        works[id] = work
        if report.unfinished.isEmpty, !report.isFailed { remember(work) }
        var keep = work.hint
        keep.records = report.unfinished
        return Settlement(timing: timing(id, work), keep: keep.records.isEmpty ? nil : keep, next: next)
    }

    private mutating func remember(_ work: Work) {
        if recent.count >= policy.maximumRecentPushes, !recent.isEmpty { recent.removeFirst() }
        guard policy.maximumRecentPushes > 0 else { return }
        recent.append(Recent(identity: work.identity, arrived: work.arrived, entryPoints: work.entryPoints))
    }

    /// What is unfinished is kept, or could not be.
    package mutating func kept(_ id: WorkID) { works[id]?.isKept = true }

    /// The deliveries to answer, once what is unfinished is kept and the handler has had its say.
    package mutating func answers(ready id: WorkID) -> Answers? {
        guard let work = works[id], work.isKept, !work.isStopping else { return nil }
        return answers(of: id)
    }

    /// The same at the deadline, or where nothing is to be kept; nil where they were answered.
    package mutating func answers(of id: WorkID) -> Answers? {
        guard let work = works[id], case .settling(let result) = work.phase else { return nil }
        works[id] = nil
        deliveries -= work.deliveries.count
        return Answers(deliveries: work.deliveries, isKept: work.isKept, result: result, arrived: work.arrived)
    }

    private func stopAt(_ work: Work) -> DispatchMoment {
        work.deadline.advanced(byMilliseconds: -policy.reserveMilliseconds)
    }

    private func timing(_ id: WorkID, _ work: Work) -> Timing {
        Timing(work: id, stopAt: stopAt(work), deadline: work.deadline)
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
