import PushDispatch
import SelectiveSync

/// Checks that the results reported to the system are true.
extension AppProcess {
    func completed(_ wake: Wake, _ result: PushResult) {
        guard clock.isRunning else { return }
        wake.completions += 1
        wakes.removeAll { $0 === wake }
        if wake.isStopped { hasStopped = true }
        run.trace("\(device.name) wake \(wake.number) ends with \(result.rawValue)")
        run.count(result == .newData ? .newData : result == .noData ? .noData : .failed)
        if wake.isStopped { run.count(.stopped) }
        if case .dropped = wake.role { run.count(.twin) }
        checkTime(wake)
        if let hint = wake.hint {
            check(wake, hint, result)
        } else if result != .noData {
            run.reportViolation("\(name(wake)) had nothing to fetch and ends with \(result.rawValue)")
        }
    }

    /// Hints of the same object that were in the store before are fetched together with the push.
    private func checkCompanions(_ wake: Wake, _ hint: Hint) {
        let settings = run.settings
        guard case .own = wake.role, !wake.isStopped, settings.forgetFaultPercent == 0,
            settings.sync.maximumPending > device.audit.list.count
        else { return }
        let left = olderHints(wake, hint)
        guard !left.isEmpty else { return }
        run.reportViolation("\(name(wake)) ends with noData, but older hints wait: \(run.short(left))")
    }

    private func olderHints(_ wake: Wake, _ hint: Hint) -> [RecordID] {
        device.audit.list.pending(of: hint.object)
            .filter { $0.mark <= wake.mark && run.settings.isInScope($0.record) }.map(\.record)
    }

    private func name(_ wake: Wake) -> String { "\(device.name) wake \(wake.number)" }

    private func checkTime(_ wake: Wake) {
        if wake.completions != 1 { run.reportViolation("\(name(wake)) has \(wake.completions) results") }
        let late = run.timeline.now - wake.deadline
        if late > 0 { run.reportViolation("\(name(wake)) has its result \(late) ms late") }
        let leader = wake.leader
        let isWhole = wake.runLimit - leader.arrived >= run.settings.dispatch.budgetMilliseconds
        if leader.hasRunOutOfTime, isWhole, !leader.hasUserChanged, !run.hadFault(since: leader.arrived) {
            run.reportViolation("\(name(wake)) ran out of time without a reason")
        }
    }

    private func check(_ wake: Wake, _ hint: Hint, _ result: PushResult) {
        switch wake.role {
        case .ignored, .dropped:
            if result != .noData { run.reportViolation("\(name(wake)) did nothing and ends with \(result.rawValue)") }
        case .unknown, .own, .joined: break
        }
        let hasUserChanged = wake.hasUserChanged || wake.leader.hasUserChanged || isSwitching
        if case .ignored = wake.role {
            if wake.user == device.account, !hasUserChanged {
                run.reportViolation("\(name(wake)) was ignored though it is for the user who is logged in")
            }
            return
        }
        if result == .newData, latest.write < wake.leader.began {
            run.reportViolation("\(name(wake)) reports new data, but there is none")
        }
        if hasUserChanged { return }
        checkServed(wake, hint, result)
    }

    /// Checks that each record of the hint was stored by a request that began after the wake, or that its hint is kept.
    /// For a wake that may be the same push as an earlier one, a request of the earlier one also counts.
    private func checkServed(_ wake: Wake, _ hint: Hint, _ result: PushResult) {
        if case .dropped = wake.role, wake.isTwin { return }
        let since = wake.isTwin ? wake.leader.began : wake.began
        let unserved = hint.records.filter { run.settings.isInScope($0) && !device.audit.served($0, since: since) }
        if !wake.isNotKept {
            for record in unserved {
                device.audit.leavesUnfetched(record, of: hint.object, to: wake, since: since)
            }
        }
        if case .dropped = wake.role { return }
        if result == .noData, let record = unserved.first {
            run.reportViolation("\(name(wake)) ends with noData, but \(record) was not fetched")
        }
        guard wake.isAlone else { return }
        if !wake.leader.isStopped, !source.underWay.isDisjoint(with: wake.leader.open) {
            run.reportViolation("\(name(wake)) ends while a request that it has sent is under way")
        }
        if result == .noData { checkCompanions(wake, hint) }
        // The system could not wait longer for the handler, which may have stored data that it has not reported yet.
        if wake.leader.isStopped, run.timeline.now >= wake.runLimit { return }
        // Records of older hints are fetched in the same run and count as well. A changed stamp alone may count as new
        // data or not.
        if result == .newData, latest.write > wake.leader.began { return }
        // So do those that cannot be fetched without a network.
        if result == .failed, device.network == .offline, !olderHints(wake, hint).isEmpty { return }
        // Nobody knows what waits.
        if result == .failed, wake.leader.couldNotRead { return }
        let isServed = unserved.isEmpty && wake.leader.open.isEmpty
        // A run that was stopped may report a failure even if its records were fetched.
        if wake.leader.isStopped, result == .failed, latest.visibleChange <= wake.leader.began { return }
        let truth: PushResult = latest.visibleChange > wake.leader.began ? .newData : isServed ? .noData : .failed
        if result != truth {
            run.reportViolation("\(name(wake)) ends with \(result.rawValue); the truth is \(truth.rawValue)")
        }
    }
}
