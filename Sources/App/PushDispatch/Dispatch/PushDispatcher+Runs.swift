/// A run from its start to its answers.
extension PushDispatcher {
    func begin(_ start: DispatchCore.Start) {
        let run = start.timing.run
        guard let handler = tasks[run]?.handler else { return }
        tasks[run]?.handler = nil
        if !handler.announcesRequests { core.willSendRequest(run) }
        onEvent(
            start.hint.records.isEmpty
                ? .startedMessage(type: PushIssue.shown(start.hint.type))
                : .started(object: start.hint.object, records: start.hint.records))
        let context = HandlerContext(
            stopAt: start.timing.stopAt, clock: clock,
            onRequest: { await self.willSendRequest(run) },
            onDone: { records, changed in await self.done(run, records, changed) })
        tasks[run]?.task = self.start {
            do {
                let report = try await handler.body(context)
                await self.returned(run, report)
            } catch {
                await self.threw(run, error)
            }
        }
    }

    private func willSendRequest(_ run: DispatchCore.RunID) { core.willSendRequest(run) }

    private func done(_ run: DispatchCore.RunID, _ records: [RecordID], _ changed: Int) {
        core.done(run, records, changed: changed)
    }

    private func returned(_ run: DispatchCore.RunID, _ report: HandlerReport) {
        guard let settlement = core.handlerReturned(run, report) else { return returnedLate(run) }
        perform(settlement)
    }

    private func threw(_ run: DispatchCore.RunID, _ error: any Error) {
        guard let settlement = core.handlerReturned(run, nil) else { return returnedLate(run) }
        onEvent(.handlerFailed(errorType: "\(type(of: error))"))
        perform(settlement)
    }

    private func returnedLate(_ run: DispatchCore.RunID) {
        onEvent(.handlerLate)
        answer(core.answers(ready: run), of: run)
    }

    func cancel(_ call: DispatchCore.CallID) {
        guard let settlement = core.cancelled(call) else { return }
        stop(settlement, .cancelled)
    }

    func stop(_ settlement: DispatchCore.Settlement, _ cause: DispatchEvent.StopCause) {
        onEvent(.handlerStopped(cause))
        tasks[settlement.timing.run]?.task?.cancel()
        perform(settlement)
    }

    func perform(_ settlement: DispatchCore.Settlement) {
        let run = settlement.timing.run
        if let next = settlement.next { begin(next) }
        guard let hint = settlement.keep else { return kept(run) }
        start { [userNumber] in await self.keep(hint, of: run, userNumber) }
    }

    private func keep(_ hint: Hint, of run: DispatchCore.RunID, _ userNumber: Int) async {
        do {
            try await inOrder {
                // The user has changed meanwhile, so the hint is not kept.
                guard userNumber == self.userNumber else { return }
                try await pending.keep(hint)
                if userNumber == self.userNumber { onEvent(.kept(object: hint.object, records: hint.records)) }
            }
        } catch {
            onEvent(.notKept(object: hint.object, records: hint.records, errorType: "\(type(of: error))"))
        }
        kept(run)
    }

    private func kept(_ run: DispatchCore.RunID) {
        core.kept(run)
        answer(core.answers(ready: run), of: run)
    }

    func answer(_ answers: DispatchCore.Answers?, of run: DispatchCore.RunID) {
        guard let answers else { return }
        tasks[run] = nil
        onEvent(.finished(answers.result, milliseconds: clock.now().milliseconds(since: answers.arrived)))
        for call in answers.calls {
            waiting.removeValue(forKey: call)?.resume(returning: answers.result)
        }
    }
}
