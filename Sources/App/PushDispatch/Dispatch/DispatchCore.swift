/// The decisions of a dispatcher, without clock, task or store.
///
/// A *run* is one run of the handler for one hint. A *call* is one call of the system that waits for its result.
/// Duplicates of a push are several calls that wait for one run. The dispatcher acts on each decision and reports back
/// with the run's id.
package struct DispatchCore: Sendable {
    package struct RunID: Hashable, Comparable, Sendable {
        let number: Int

        /// In the order in which the runs began.
        package static func < (left: RunID, right: RunID) -> Bool { left.number < right.number }
    }
    package struct CallID: Hashable, Sendable { fileprivate let number: Int }

    package let policy: DispatchPolicy
    var runs: [RunID: HandlerRun] = [:]
    /// The newest run for each payload whose handler has not ended.
    var newest: [PushIdentity: RunID] = [:]
    /// Pushes handled without failure, to recognise late duplicates. Oldest first.
    var recent: [RecentPush] = []
    /// Handlers that have not returned or not started.
    var handlers = 0
    /// Calls that wait for a result.
    var calls = 0
    private var lastNumber = 0

    package init(policy: DispatchPolicy) { self.policy = policy }

    struct RecentPush: Sendable {
        let identity: PushIdentity
        let arrived: DispatchMoment
        var entryPoints: Set<EntryPoint>
    }

    /// - Parameters:
    ///   - reading: What the push says. A hint that names no records is handled too.
    ///   - deadline: When the result has to be reported; nil for the policy's budget.
    package mutating func receive(
        _ push: Push, _ reading: HintReading, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        at now: DispatchMoment
    ) -> Reception {
        let call = CallID(number: nextNumber())
        let decision: OnReceive
        switch reading.outcome {
        case .nothing(let cause): decision = .ignore(cause)
        case .hint(let hint):
            let run = HandlerRun(
                identity: PushIdentity(push, identityKey: policy.identityKey), hint: hint, arrived: now,
                entryPoints: [entryPoint],
                deadline: deadline ?? now.advanced(byMilliseconds: policy.budgetMilliseconds), calls: [call],
                phase: .running)
            decision = receive(run, from: entryPoint, at: now)
        }
        return Reception(call: call, issues: reading.issues, decision: decision)
    }

    private mutating func receive(_ run: HandlerRun, from entryPoint: EntryPoint, at now: DispatchMoment) -> OnReceive {
        if let id = newest[run.identity], var current = runs[id] {
            let isDuplicate =
                switch current.phase {
                case .waiting, .running: true
                case .requested, .settling: isOtherEntryPoint(current.entryPoints, current.arrived, entryPoint, now)
                }
            guard calls < policy.maximumWaiting else { return settleAtOnce(run, .tooMany) }
            if isDuplicate {
                current.entryPoints.insert(entryPoint)
                current.deadline = min(current.deadline, run.deadline)
                current.calls += run.calls
                calls += 1
                runs[id] = current
                return .join(timing(id, current))
            }
            return begin(run, after: id, at: now)
        }
        if let index = recent.firstIndex(where: {
            $0.identity == run.identity && isOtherEntryPoint($0.entryPoints, $0.arrived, entryPoint, now)
        }) {
            recent[index].entryPoints.insert(entryPoint)
            return .dropDuplicate
        }
        return begin(run, after: nil, at: now)
    }

    /// Whether the same payload arrived a moment ago by other entry points only, and so is the same push. The system
    /// brings each push to an entry point once, so a second one by the same entry point is another push.
    private func isOtherEntryPoint(
        _ seen: Set<EntryPoint>, _ arrived: DispatchMoment, _ entryPoint: EntryPoint, _ now: DispatchMoment
    ) -> Bool {
        !seen.contains(entryPoint) && now.milliseconds(since: arrived) <= policy.duplicateWindowMilliseconds
    }

    private mutating func begin(_ run: HandlerRun, after previous: RunID?, at now: DispatchMoment) -> OnReceive {
        var run = run
        guard stopAt(run) > now else { return settleAtOnce(run, .tooLate) }
        guard handlers < policy.maximumHandlers, calls < policy.maximumWaiting else {
            return settleAtOnce(run, .tooMany)
        }
        let id = RunID(number: nextNumber())
        handlers += 1
        calls += 1
        newest[run.identity] = id
        if let previous {
            run.phase = .waiting
            runs[previous]?.next = id
            runs[id] = run
            return .fetchAgain(timing(id, run))
        }
        runs[id] = run
        return .start(Start(hint: run.hint, timing: timing(id, run)))
    }

    private mutating func settleAtOnce(_ run: HandlerRun, _ cause: DispatchEvent.StopCause) -> OnReceive {
        var run = run
        let id = RunID(number: nextNumber())
        calls += 1
        run.phase = .settling(HandlerRun.Settling(result: .failed))
        runs[id] = run
        return .settle(Settlement(timing: timing(id, run), keep: run.hint, next: nil), cause)
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func stopAt(_ run: HandlerRun) -> DispatchMoment {
        run.deadline.advanced(byMilliseconds: -policy.reserveMilliseconds)
    }

    func timing(_ id: RunID, _ run: HandlerRun) -> Timing {
        Timing(run: id, stopAt: stopAt(run), deadline: run.deadline)
    }
}
