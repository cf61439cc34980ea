/// From a handler's first request to the answers.
extension DispatchCore {
    /// The handler is about to send its first request.
    package mutating func willSendRequest(_ id: RunID) {
        if runs[id]?.phase == .running { runs[id]?.phase = .requested }
    }

    package mutating func done(_ id: RunID, _ records: [RecordID], changed: Int) {
        runs[id]?.done.formUnion(records)
        runs[id]?.changed += max(0, changed)
    }

    /// - Parameter report: Nil if the handler threw. Then what it reported as done before counts.
    /// - Returns: Nil if the handler was stopped before. Then `answers(ready:)` may have answers.
    package mutating func handlerReturned(_ id: RunID, _ report: HandlerReport?) -> Settlement? {
        handlers -= 1
        guard let run = runs[id] else { return nil }
        var report = report ?? run.stopReport
        // A change that was reported before is stored, even if the final report leaves it out.
        report.changed = max(report.changed, run.changed)
        switch run.phase {
        case .waiting: return nil
        case .running, .requested: return settle(id, run, report)
        case .settling(var settling):
            if settling.awaitsHandler { settling.result = report.result }
            settling.awaitsHandler = false
            runs[id]?.phase = .settling(settling)
            return nil
        }
    }

    /// The handler has to stop. What it stores until the deadline still counts.
    ///
    /// - Returns: Nil if the run is over or has more time.
    package mutating func timeRanOut(_ id: RunID, at now: DispatchMoment) -> Settlement? {
        guard let run = runs[id], stopAt(run) <= now, let settlement = stop(id, run) else { return nil }
        if case .settling(var settling) = runs[id]?.phase {
            settling.awaitsHandler = run.phase != .waiting
            runs[id]?.phase = .settling(settling)
        }
        return settlement
    }

    /// The task that waits for the call was cancelled. The run stops for its duplicates too.
    package mutating func cancelled(_ call: CallID) -> Settlement? {
        guard let (id, run) = runs.first(where: { $0.value.calls.contains(call) }) else { return nil }
        return stop(id, run)
    }

    /// The user changes. All runs end without keeping anything, and no push is remembered.
    ///
    /// - Returns: The runs to be answered.
    package mutating func dropAll() -> [RunID] {
        newest = [:]
        recent = []
        var dropped: [RunID] = []
        for (id, run) in runs {
            switch run.phase {
            case .settling: continue
            case .waiting: handlers -= 1
            case .running, .requested: break
            }
            runs[id]?.phase = .settling(HandlerRun.Settling(result: run.changed > 0 ? .newData : .noData))
            runs[id]?.next = nil
            dropped.append(id)
        }
        return dropped.sorted()
    }

    private mutating func stop(_ id: RunID, _ run: HandlerRun) -> Settlement? {
        switch run.phase {
        case .settling: return nil
        case .waiting: handlers -= 1
        case .running, .requested: break
        }
        return settle(id, run, run.stopReport)
    }

    private mutating func settle(_ id: RunID, _ run: HandlerRun, _ report: HandlerReport) -> Settlement {
        runs[id]?.phase = .settling(HandlerRun.Settling(result: report.result))
        var next: Start?
        if let nextID = run.next, runs[nextID]?.phase == .waiting, var started = runs[nextID] {
            started.phase = .running
            runs[nextID] = started
            next = Start(hint: started.hint, timing: timing(nextID, started))
        }
        if newest[run.identity] == id { newest[run.identity] = nil }
        if report.unfinished.isEmpty, !report.isFailed { remember(run) }
        var keep = run.hint
        keep.records = report.unfinished
        return Settlement(timing: timing(id, run), keep: keep.records.isEmpty ? nil : keep, next: next)
    }

    private mutating func remember(_ run: HandlerRun) {
        if recent.count >= policy.maximumRecentPushes, !recent.isEmpty { recent.removeFirst() }
        guard policy.maximumRecentPushes > 0 else { return }
        recent.append(RecentPush(identity: run.identity, arrived: run.arrived, entryPoints: run.entryPoints))
    }

    /// The pending store has kept what is unfinished, or failed to.
    package mutating func kept(_ id: RunID) {
        guard case .settling(var settling) = runs[id]?.phase else { return }
        settling.isKept = true
        runs[id]?.phase = .settling(settling)
    }

    /// The answers, once what is unfinished is kept and the handler has returned or was not waited for.
    package mutating func answers(ready id: RunID) -> Answers? {
        guard case .settling(let settling) = runs[id]?.phase, settling.isKept, !settling.awaitsHandler else {
            return nil
        }
        return answers(of: id)
    }

    /// The answers at the deadline, or if nothing is to be kept; nil if they were given before.
    package mutating func answers(of id: RunID) -> Answers? {
        guard let run = runs[id], case .settling(let settling) = run.phase else { return nil }
        runs[id] = nil
        calls -= run.calls.count
        return Answers(calls: run.calls, isKept: settling.isKept, result: settling.result, arrived: run.arrived)
    }
}
