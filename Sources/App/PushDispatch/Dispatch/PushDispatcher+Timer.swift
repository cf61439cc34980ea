/// Stops each run when its time is up, and answers its calls at the deadline.
extension PushDispatcher {
    func watch(_ timing: DispatchCore.Timing) {
        tasks[timing.run, default: RunTasks()].timing = timing
        setTimer(at: timing.next(after: clock.now()) ?? timing.deadline)
    }

    /// A timer costs as much as the rest of a push. So all runs share one, and it is not cancelled when a run ends.
    private func setTimer(at moment: DispatchMoment) {
        if let timer {
            guard moment < timer.at else { return }
            timer.task.cancel()
        }
        let task = clock.schedule(at: moment) { [weak self] in await self?.timerFired(at: moment) ?? false }
        timer = (moment, task)
    }

    /// - Returns: Whether it stopped or answered a run.
    private func timerFired(at moment: DispatchMoment) -> Bool {
        guard timer?.at == moment else { return false }
        timer = nil
        let now = max(clock.now(), moment)
        var hasActed = false
        for timing in tasks.values.compactMap(\.timing).sorted(by: { ($0.stopAt, $0.run) < ($1.stopAt, $1.run) }) {
            if timing.stopAt <= now, timeRanOut(timing.run, at: now) { hasActed = true }
            if timing.deadline <= now, deadlineReached(timing.run) { hasActed = true }
        }
        if let next = tasks.values.compactMap({ $0.timing?.next(after: now) }).min() { setTimer(at: next) }
        return hasActed
    }

    private func timeRanOut(_ run: DispatchCore.RunID, at now: DispatchMoment) -> Bool {
        guard let settlement = core.timeRanOut(run, at: now) else { return false }
        stop(settlement, .timeRanOut)
        return true
    }

    private func deadlineReached(_ run: DispatchCore.RunID) -> Bool {
        // Answers even if store or handler has not returned: the system waits no longer.
        guard let answers = core.answers(of: run) else { return false }
        answer(answers, of: run)
        if !answers.isKept { onEvent(.storeLate) }
        return true
    }
}

extension DispatchCore.Timing {
    /// Nil once the deadline is reached.
    fileprivate func next(after now: DispatchMoment) -> DispatchMoment? {
        stopAt > now ? stopAt : deadline > now ? deadline : nil
    }
}
