import PushDispatch

extension EventQueue {
    /// Starts what is due, sets the timer and ends the flushes that are complete.
    func pump() {
        guard isLoaded else { return }
        let now = clock.now()
        var step = core.next(at: now)
        // A request that cannot be read changes what is due.
        while !step.orders.filter({ !begin($0, at: now) }).isEmpty { step = core.next(at: now) }
        setTimer(step.wakeAt)
        endFlushes(at: now)
    }

    /// - Returns: False if the events could not be read.
    private func begin(_ order: DeliveryCore.Order, at now: DispatchMoment) -> Bool {
        let (id, request) = (order.id, order.request)
        let sequences = request.entries.map(\.sequence)
        let stored: [StoredEvent]
        do {
            stored = try events(sequences)
        } catch {
            settle(core.notRead(id, at: now, random: random()))
            return false
        }
        guard stored.count == sequences.count else {
            settle(core.unreadable(id, Set(sequences).subtracting(stored.map(\.sequence))))
            return false
        }
        let lane = core.lanes[id.lane]
        let (transport, form, name) = (transports[id.lane], lane.policy.form, lane.name)
        let task = start { [weak self] in
            var answer = TransportAnswer.noAnswer
            // The events may have been withdrawn before this task began.
            if !Task.isCancelled {
                let events = stored.map(\.event)
                let batch = EventBatch(
                    destination: name, events: events, body: form.encode(events), contentType: form.contentType,
                    renewsCredentials: request.renewsCredentials, failures: request.failures)
                if !Task.isCancelled { answer = await transport.send(batch) }
            }
            await self?.answered(id, answer)
        }
        let end = limitClock.now().advanced(byMilliseconds: max(1, lane.policy.answerMilliseconds))
        let limit = limitClock.schedule(at: end) { [weak self] in await self?.stop(id) ?? false }
        requests[id] = (task, limit)
        return true
    }

    private func answered(_ id: DeliveryRequest.ID, _ answer: TransportAnswer) {
        guard !hasEnded else { return }
        requests.removeValue(forKey: id)?.limit.cancel()
        settle(core.answered(id, answer, at: clock.now(), random: random()))
        pump()
    }

    private func stop(_ id: DeliveryRequest.ID) -> Bool {
        guard let request = requests[id] else { return false }
        request.task.cancel()
        return true
    }

    // The timer.

    private func setTimer(_ moment: DispatchMoment?) {
        guard let moment else { return }
        if let timer, timer.moment <= moment { return }
        timer?.task.cancel()
        let task = start { [weak self, clock] in
            guard (try? await clock.sleep(until: moment)) != nil else { return }
            await self?.timerFired(moment)
        }
        timer = (moment, task)
    }

    private func timerFired(_ moment: DispatchMoment) {
        if timer?.moment == moment { timer = nil }
        pump()
    }
}
