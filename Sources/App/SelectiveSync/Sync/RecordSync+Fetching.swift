import PushDispatch

// Tickets of the callers that wait.
extension RecordSync {
    /// Waits until the records need nothing more, or until time or tries are used up. No records mean everything that is
    /// pending for the object.
    func run(
        _ records: [RecordID], of object: String, mark: PendingMark?, _ context: HandlerContext
    ) async -> HandlerReport {
        let now = clock.now()
        let reception = core.receive(records, of: object, mark: mark, stopAt: context.stopAt, at: now)
        if reception.isFull { onEvent(.regularSyncNeeded(object: object)) }
        let ticket = reception.ticket
        let report = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters.wait(for: ticket, context, continuation)
                if context.remainingMilliseconds <= 0 { return cancel(ticket) }
                deliver(core.settled())
                pump(at: now)
            }
        } onCancel: {
            start { await self.cancel(ticket) }
        }
        await context.done(reception.outOfScope.map(\.record), changed: 0)
        await forget(reception.outOfScope, of: object)
        return report
    }

    private func cancel(_ ticket: SyncCore.TicketID) {
        let (report, requests) = core.cancel(ticket, storing: fetches.storing)
        for request in requests { fetches.cancel(request) }
        if let report { waiters.end(ticket, report) }
    }

    func deliver(_ updates: [SyncCore.TicketUpdate]) {
        for update in updates {
            guard let context = waiters.context(of: update.ticket) else { continue }
            if let report = update.report {
                waiters.end(update.ticket, report)
            } else if !update.done.isEmpty || update.changed > 0 {
                start { await context.done(update.done, changed: update.changed) }
            }
        }
    }
}

// Requests.
extension RecordSync {
    /// Starts the requests that are due, and sets the timer for the next ones.
    func pump(at now: DispatchMoment) {
        deliver(core.timeRanOut(at: now))
        // A request now could ask for one user with the session of another.
        guard !sessions.isChanging else { return }
        for next in core.next(at: now) {
            let contexts = waiters.contextsToNotify(of: next)
            fetches.add(next.request, start { await self.fetch(next, announcingTo: contexts) })
        }
        if let moment = core.startsNext(at: now) {
            timers.requests.set(at: moment) {
                start { [clock] in
                    guard (try? await clock.sleep(until: moment)) != nil else { return }
                    await self.wake(at: moment)
                }
            }
        }
        // A limit and not a sleep: nothing waits for it, so a test's clock must not skip the time until it.
        if let moment = core.endsNext {
            timers.limit.set(at: moment) {
                clock.schedule(at: moment) { [weak self] in await self?.limitReached(at: moment) ?? false }
            }
        }
    }

    /// - Returns: Whether a call has ended.
    private func limitReached(at moment: DispatchMoment) -> Bool {
        timers.limit.fired()
        let now = max(clock.now(), moment)
        let late = core.timeRanOut(at: now)
        deliver(late)
        pump(at: now)
        return !late.isEmpty
    }

    private func wake(at moment: DispatchMoment) {
        timers.requests.fired()
        pump(at: max(clock.now(), moment))
    }

    private func fetch(_ start: SyncCore.Start, announcingTo contexts: [HandlerContext]) async {
        for context in contexts { await context.willSendRequest() }
        let sequence = concurrentAnswers.beginRequest()
        let user = sessions.current.user
        let result: Result<[FetchedRecord], FetchError>
        do throws(FetchError) {
            guard let object = scopes.objects[start.fetch.object] else {
                throw FetchError(.cancelled, advice: .retryLater, "no SyncObject describes this object")
            }
            do {
                try await narrowScope(of: object.name)
            } catch {
                onEvent(.storeFailed(object: object.name, errorType: "\(type(of: error))"))
                throw FetchError(.cancelled, advice: .keep, "the store failed")
            }
            guard !sessions.isChanging, core.isOpen(start.request) else {
                throw FetchError(.cancelled, advice: .retryLater, "the user is being changed")
            }
            result = .success(try await fetchInScope(start.fetch, of: object, from: limited(fetcher, to: user)))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let answers): await inOrder { await merge(answers, of: start, sequence, user) }
        case .failure(let error): await failed(start, error)
        }
        concurrentAnswers.endRequest(sequence)
        _ = fetches.remove(start.request)
        pump(at: clock.now())
    }

    private func limited(_ fetcher: any RecordFetcher, to user: String?) -> any RecordFetcher {
        user.map { fetcher.limited(to: $0) } ?? fetcher
    }

    private func merge(
        _ answers: [FetchedRecord], of start: SyncCore.Start, _ sequence: Int, _ user: String?
    ) async {
        // The user has changed since.
        guard core.isOpen(start.request) else { return }
        let object = start.fetch.object
        guard start.fetch.filter == scopes.objects[object]?.filter else {
            return await failed(start, FetchError(.cancelled, advice: .retryLater, "the filter has changed"))
        }
        let (accepted, again) = concurrentAnswers.resolve(answers, of: object, from: sequence)
        var batch = MergeBatch(object, accepted, rules: scopes.objects[object]?.mergeRules ?? MergeRules(), user: user)
        let doubted = Set(again)
        batch.forget = core.served(by: start.request).filter { !doubted.contains($0.record) }
        fetches.setStoring(true, start.request)
        defer { fetches.setStoring(false, start.request) }
        do {
            let result = try await store.merge(batch)
            onEvent(.merged(object: object, result.counts))
            deliver(core.stored(start.request, changed: result.changed, again: again, at: clock.now()))
        } catch {
            onEvent(.storeFailed(object: object, errorType: "\(type(of: error))"))
            deliver(core.notStored(start.request))
        }
    }

    private func failed(_ start: SyncCore.Start, _ error: FetchError) async {
        let object = start.fetch.object
        onEvent(.fetchFailed(object: object, error))
        // The hints stay, and the next push would ask for them in the same way. A regular sync asks in another one.
        if error.isUnknownRefusal { onEvent(.regularSyncNeeded(object: object)) }
        let failure = core.failed(start.request, error, at: clock.now(), random: random())
        if let retryAt = failure.retryAt {
            onEvent(.retrying(object: object, milliseconds: retryAt.milliseconds(since: clock.now())))
        }
        await forget(failure.dropped, of: object)
        deliver(failure.updates)
    }
}
