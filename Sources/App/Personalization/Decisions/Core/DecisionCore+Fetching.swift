import EventDelivery
import PushDispatch

/// From a fetch to its answer.
extension DecisionCore {
    enum OnFetch: Sendable {
        case finished(Result<FetchedDecisions, DecisionError>)
        /// The answer comes as an action, at the latest when the client calls `timedOut` at the moment.
        case waiting(CallID, until: DispatchMoment)
    }

    /// - Parameter timeout: In milliseconds; nil for the configuration's.
    mutating func fetch(
        _ query: DecisionQuery, timeout: Int64?, at now: DispatchMoment, wallTime: EventTime
    ) -> (OnFetch, [Action]) {
        let groups: [Group]
        let wait: Int64
        do throws(DecisionError) {
            groups = try self.groups(query, of: try asker(query))
            wait = try configuration.timeout(timeout)
        } catch {
            return (.finished(.failure(error)), [])
        }
        let call = newCall()
        var actions: [Action] = []
        let until = now.advanced(byMilliseconds: wait)
        let creditsBefore = credits
        let parts = groups.map { group -> Call.Part in
            switch take(group, until: until, at: now) {
            case .failure(let failure): return .done(fallback(group, failure, at: wallTime))
            case .success(let taken):
                requests[taken.request]?.calls.insert(call)
                actions += taken.actions
                return .waiting(taken.request, group)
            }
        }
        calls[call] = Call(parts: parts, credits: credits - creditsBefore)
        if let result = finish(call) { return (.finished(result), actions) }
        return (.waiting(call, until: until), actions)
    }

    /// Starts requests whose replies go into the cache.
    ///
    /// - Parameter age: Points whose cached reply is younger are not asked for, in milliseconds.
    mutating func prefetch(
        _ query: DecisionQuery, olderThan age: Int64, at now: DispatchMoment, wallTime: EventTime
    ) throws(DecisionError) -> [Action] {
        var actions: [Action] = []
        for group in try groups(query, of: try asker(query)) {
            if let cached = cache.age(of: group.key, at: wallTime), cached < age { continue }
            switch take(group, until: now, at: now) {
            case .failure(let failure): actions.append(.report(.failed(failure)))
            case .success(let taken):
                requests[taken.request]?.refreshesCache = true
                actions += taken.actions
            }
        }
        return actions
    }

    /// What can be shown at once, without a request.
    mutating func cached(_ query: DecisionQuery, wallTime: EventTime) -> FetchedDecisions {
        do throws(DecisionError) {
            let groups = try groups(query, of: try asker(query))
            return FetchedDecisions(parts: groups.map { fallback($0, nil, at: wallTime) }, credits: 0)
        } catch {
            return FetchedDecisions(
                parts: [defaults(configuration.defaultGraph, query.points, error)], credits: 0)
        }
    }

    private struct Taken {
        var request: RequestID
        var actions: [Action] = []
    }

    /// A request for the same thing, or a new one; a failure if none may be sent now.
    private mutating func take(
        _ group: Group, until: DispatchMoment, at now: DispatchMoment
    ) -> Result<Taken, DecisionError> {
        if case .isFormerPerson(let failure) = group.standing { return .failure(failure) }
        if let request = requests.filter({ $0.value.group.isSame(as: group) }).keys.min() {
            return .success(Taken(request: request))
        }
        if let failure = obstacle(at: now) { return .failure(failure) }
        let id = newRequest()
        requests[id] = Request(group: group)
        credits += group.points.count
        let end = max(until, now.advanced(byMilliseconds: max(1, configuration.requestMilliseconds)))
        return .success(
            Taken(
                request: id,
                actions: [
                    .report(.requested(points: group.points.count)),
                    .send(id, to: group.url, body: group.body, expiresAt: end),
                ]))
    }

    /// Why no request may be sent now.
    private mutating func obstacle(at now: DispatchMoment) -> DecisionError? {
        guard isOnline else { return .offline }
        if let pause {
            let left = pause.until.milliseconds(since: now)
            if left > 0 {
                var failure = pause.cause
                failure.retryAfterMilliseconds = left
                return failure
            }
            self.pause = nil
        }
        return requests.count >= configuration.maximumRequests ? .busy : nil
    }

    // MARK: The end of a call

    /// The fetch has waited long enough. Its requests go on, for the cache.
    mutating func timedOut(_ call: CallID, wallTime: EventTime) -> [Action] {
        guard var waiting = calls[call] else { return [] }
        for (index, part) in waiting.parts.enumerated() {
            guard case .waiting(let request, let group) = part else { continue }
            requests[request]?.calls.remove(call)
            requests[request]?.refreshesCache = true
            waiting.parts[index] = .done(fallback(group, .timeout, at: wallTime))
        }
        calls[call] = waiting
        return finish(call).map { [.answer(call, $0)] } ?? []
    }

    /// The task that waits for the call was cancelled. A request goes on if anything else wants it.
    mutating func cancelled(_ call: CallID) -> [Action] {
        guard let waiting = calls.removeValue(forKey: call) else { return [] }
        var actions: [Action] = [.answer(call, .failure(.cancelled))]
        for case .waiting(let request, _) in waiting.parts {
            requests[request]?.calls.remove(call)
            guard let left = requests[request], left.calls.isEmpty, !left.refreshesCache else { continue }
            requests[request] = nil
            actions.append(.stop(request))
        }
        return actions
    }

    /// Ends a call if all of its parts are there.
    mutating func finish(_ call: CallID) -> Result<FetchedDecisions, DecisionError>? {
        guard let waiting = calls[call] else { return nil }
        var parts: [FetchedDecisions.Part] = []
        for part in waiting.parts {
            guard case .done(let done) = part else { return nil }
            parts.append(done)
        }
        calls[call] = nil
        return result(parts, credits: waiting.credits)
    }
}
