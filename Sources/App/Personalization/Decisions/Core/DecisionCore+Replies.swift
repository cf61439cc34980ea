import EventDelivery
import PushDispatch

/// From an answer of the service to the calls that wait for it.
extension DecisionCore {
    /// The transport has returned.
    mutating func answered(
        _ id: FlightID, _ answer: Result<DecisionHTTPReply, DecisionError>, at now: DispatchMoment, wall: EventTime
    ) -> [Action] {
        guard let flight = flights.removeValue(forKey: id) else {
            // It was stopped. A reply that still comes is not used.
            if case .success = answer { return [.report(.discarded)] }
            return []
        }
        do throws(DecisionError) {
            let reply = try ReplyJudge(configuration: configuration)
                .read(try answer.get(), points: flight.group.points, at: wall)
            return keep(reply, of: flight, id, at: wall)
        } catch {
            // Nobody of this side has stopped it.
            let failure =
                error.code == .cancelled ? DecisionError(.network, "the transport stopped the request") : error
            return fail(flight, id, failure, at: now, wall: wall)
        }
    }

    /// The request took too long.
    mutating func expired(_ id: FlightID, at now: DispatchMoment, wall: EventTime) -> [Action] {
        guard let flight = flights.removeValue(forKey: id) else { return [] }
        return [.stop(id)] + fail(flight, id, .timeout, at: now, wall: wall)
    }

    private mutating func keep(
        _ reply: DecisionReply, of flight: Flight, _ id: FlightID, at wall: EventTime
    ) -> [Action] {
        let isKept = flight.group.standing == .isReported
        if isKept { cache.keep(reply, for: flight.group.key, receivedAt: wall) }
        let answer = DecisionEvent.answered(
            points: flight.group.points.count, decisions: reply.decisions.count, isLate: flight.calls.isEmpty)
        var actions: [Action] = (isKept ? [.save(erases: false)] : []) + [.report(answer)]
        actions += reply.issues.map { .report(.issue($0)) }
        return actions + settle(flight, id) { $0.part($1, reply, from: .service, receivedAt: wall) }
    }

    private mutating func fail(
        _ flight: Flight, _ id: FlightID, _ failure: DecisionError, at now: DispatchMoment, wall: EventTime
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
        return actions + settle(flight, id) { $0.fallback($1, failure, at: wall) }
    }

    /// Gives the calls of a flight their part.
    private mutating func settle(
        _ flight: Flight, _ id: FlightID, _ part: (inout DecisionCore, Group) -> FetchedDecisions.Part
    ) -> [Action] {
        var actions: [Action] = []
        for call in flight.calls.sorted() {
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
