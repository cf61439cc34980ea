import EventDelivery
import PushDispatch

/// From an answer of the service to the calls that wait for it.
extension DecisionCore {
    /// The transport has returned.
    mutating func answered(
        _ id: RequestID, _ answer: Result<DecisionHTTPReply, DecisionError>, at now: DispatchMoment, wallTime: EventTime
    ) -> [Action] {
        guard let request = requests.removeValue(forKey: id) else {
            // It was stopped. A reply that still comes is not used.
            if case .success = answer { return [.report(.discarded)] }
            return []
        }
        do throws(DecisionError) {
            let reply = try ReplyJudge(configuration: configuration)
                .read(try answer.get(), points: request.group.points, at: wallTime)
            return keep(reply, of: request, id, at: wallTime)
        } catch {
            // The client has not cancelled it.
            let failure =
                error.code == .cancelled ? DecisionError(.network, "the transport stopped the request") : error
            return fail(request, id, failure, at: now, wallTime: wallTime)
        }
    }

    /// The request took too long.
    mutating func expired(_ id: RequestID, at now: DispatchMoment, wallTime: EventTime) -> [Action] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        return [.stop(id)] + fail(request, id, .timeout, at: now, wallTime: wallTime)
    }

    private mutating func keep(
        _ reply: DecisionReply, of request: Request, _ id: RequestID, at wallTime: EventTime
    ) -> [Action] {
        let isKept = request.group.standing == .isReported
        if isKept { cache.keep(reply, for: request.group.key, receivedAt: wallTime) }
        let answer = DecisionEvent.answered(
            points: request.group.points.count, decisions: reply.decisions.count, isLate: request.calls.isEmpty)
        var actions: [Action] = (isKept ? [.save(erases: false)] : []) + [.report(answer)]
        actions += reply.issues.map { .report(.issue($0)) }
        return actions + settle(request, id) { $0.part($1, reply, from: .service, receivedAt: wallTime) }
    }

    private mutating func fail(
        _ request: Request, _ id: RequestID, _ failure: DecisionError, at now: DispatchMoment, wallTime: EventTime
    ) -> [Action] {
        var actions: [Action] = [.report(.failed(failure))]
        if let wait = failure.retryAfterMilliseconds, wait > 0 {
            let until = now.advanced(byMilliseconds: wait)
            // A later answer of a request that was sent earlier does not shorten a pause.
            if pause.map({ $0.until < until }) ?? true {
                pause = (until, failure)
                actions.append(.report(.paused(milliseconds: wait)))
            }
        }
        return actions + settle(request, id) { $0.fallback($1, failure, at: wallTime) }
    }

    /// Gives the calls of a request their part.
    private mutating func settle(
        _ request: Request, _ id: RequestID, _ part: (inout DecisionCore, Group) -> FetchedDecisions.Part
    ) -> [Action] {
        var actions: [Action] = []
        for call in request.calls.sorted() {
            guard var waiting = calls[call] else { continue }
            for (index, piece) in waiting.parts.enumerated() {
                if case .waiting(id, let group) = piece { waiting.parts[index] = .done(part(&self, group)) }
            }
            calls[call] = waiting
            if let result = finish(call) { actions.append(.answer(call, result)) }
        }
        return actions
    }
}
