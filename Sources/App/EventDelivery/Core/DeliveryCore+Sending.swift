import PushDispatch

extension DeliveryCore {
    /// A request to start.
    struct Order: Hashable, Sendable {
        let id: DeliveryRequest.ID
        let request: DeliveryRequest
    }

    /// The requests that start now, and when to ask again.
    mutating func next(at now: DispatchMoment) -> (orders: [Order], wakeAt: DispatchMoment?) {
        var orders: [Order] = []
        var wakeAt: DispatchMoment?
        for index in lanes.indices {
            switch lanes[index].due(consent, isOnline: isOnline, last: lastSequence, at: now) {
            case .no: break
            case .at(let moment): wakeAt = min(wakeAt ?? moment, moment)
            case .now:
                let request = lanes[index].take(consent, number: nextRequest)
                orders.append(Order(id: DeliveryRequest.ID(lane: index, number: nextRequest), request: request))
                nextRequest += 1
            }
        }
        return (orders, wakeAt)
    }

    mutating func networkChanged(isOnline: Bool) {
        guard isOnline != self.isOnline else { return }
        self.isOnline = isOnline
        guard isOnline else { return }
        for index in lanes.indices {
            lanes[index].endBackOff()
            lanes[index].drain(to: lastSequence)
        }
    }

    // Answers.

    /// Some events of a request cannot be read from the store, so the request was not made; the others are sent again.
    mutating func unreadable(_ id: DeliveryRequest.ID, _ sequences: Set<Int64>) -> Settlement {
        var settlement = Settlement()
        guard let request = takeBack(id) else { return settlement }
        lanes[id.lane].putBack(request.entries.filter { !sequences.contains($0.sequence) })
        for entry in request.entries where sequences.contains(entry.sequence) {
            settle(entry, of: id.lane, .unreadable, mayHaveArrived: false, &settlement)
        }
        return settlement
    }

    /// The store could not be read, so the request was not made.
    mutating func notRead(_ id: DeliveryRequest.ID, at now: DispatchMoment, random: UInt64) -> Settlement {
        var settlement = Settlement()
        guard let request = takeBack(id) else { return settlement }
        fail(request, id.lane, status: nil, pause: 0, at: now, random: random, &settlement)
        return settlement
    }

    mutating func answered(
        _ id: DeliveryRequest.ID, _ answer: TransportAnswer, at now: DispatchMoment, random: UInt64
    ) -> Settlement {
        var settlement = Settlement()
        guard let request = takeBack(id), !request.entries.isEmpty else { return settlement }
        let lane = id.lane
        guard case .status(let status, let retryAfter) = answer else {
            fail(request, lane, status: nil, pause: 0, at: now, random: random, &settlement)
            return settlement
        }
        let policy = lanes[lane].policy
        let pause = min(max(0, retryAfter ?? 0), max(0, policy.backOff.maximumRetryAfterMilliseconds))
        func failed(atLeast milliseconds: Int64 = 0) {
            fail(
                request, lane, status: status, pause: max(pause, milliseconds), at: now, random: random, &settlement)
        }
        switch policy.answers.meaning(of: status) {
        case .delivered:
            lanes[lane].succeeded()
            settlement.delivered = request.entries
            for entry in request.entries { lanes[lane].forget(entry) }
            ledgers[lanes[lane].name, default: DeliveryLedger()].delivered += request.entries.count
            settlement.notices.append(.delivered(destination: lanes[lane].name, count: request.entries.count))
        case .refused:
            if lanes[lane].halve(request.entries.count) {
                lanes[lane].putBack(request.entries)
            } else {
                refuse(request.entries, lane, status, at: now, &settlement)
            }
        case .refusedWhole:
            _ = lanes[lane].halve(1)
            refuse(request.entries, lane, status, at: now, &settlement)
        case .renewCredentials:
            if lanes[lane].renewCredentials() { lanes[lane].putBack(request.entries) } else { failed() }
        case .retryAtOnce(let times):
            if lanes[lane].repeatAtOnce(times) { lanes[lane].putBack(request.entries) } else { failed() }
        case .retryLater(let milliseconds):
            failed(atLeast: min(max(0, milliseconds), 86_400_000))
        }
        return settlement
    }

    /// Takes a request back; nil if it is not in progress.
    private mutating func takeBack(_ id: DeliveryRequest.ID) -> DeliveryRequest? {
        guard lanes.indices.contains(id.lane), let request = lanes[id.lane].inFlight,
            request.number == id.number
        else { return nil }
        lanes[id.lane].inFlight = nil
        return request
    }

    private mutating func refuse(
        _ entries: [QueueEntry], _ lane: Int, _ status: Int, at now: DispatchMoment, _ settlement: inout Settlement
    ) {
        for entry in entries { settle(entry, of: lane, .refused(status: status), mayHaveArrived: false, &settlement) }
        if let milliseconds = lanes[lane].refusedAlone(at: now) {
            settlement.notices.append(.circuitOpened(destination: lanes[lane].name, milliseconds: milliseconds))
        }
    }

    private mutating func fail(
        _ request: DeliveryRequest, _ lane: Int, status: Int?, pause: Int64, at now: DispatchMoment,
        random: UInt64, _ settlement: inout Settlement
    ) {
        lanes[lane].putBack(request.entries)
        let (wait, circuit) = lanes[lane].failed(pause: pause, at: now, random: random)
        let name = lanes[lane].name
        settlement.notices.append(.failed(destination: name, status: status, retryInMilliseconds: wait))
        if let circuit { settlement.notices.append(.circuitOpened(destination: name, milliseconds: circuit)) }
    }

    // Flushing on demand.

    /// What a flush waits for.
    struct FlushRequest: Hashable, Sendable {
        var lanes: [Int]
        var upTo: Int64
        var isForced: Bool
        /// What its time limit ends.
        var atLimit = AtLimit.stops
    }

    enum AtLimit: Hashable, Sendable {
        /// The flush: no more requests start for it.
        case stops
        /// Only the wait: the queue sends by itself what is left.
        case goesOn
    }

    /// - Parameter lane: Nil for all.
    mutating func flush(_ lane: Int?, isForced: Bool) -> FlushRequest {
        let request = FlushRequest(
            lanes: lane.map { [$0] } ?? Array(lanes.indices), upTo: lastSequence, isForced: isForced)
        for index in request.lanes { lanes[index].flush(to: request.upTo, isForced: isForced) }
        return request
    }

    /// Nil while something is being sent or can be. Ask after `next`.
    func end(of request: FlushRequest, at now: DispatchMoment) -> FlushEnd? {
        var end = FlushEnd.complete
        for index in request.lanes {
            let lane = lanes[index]
            if let sent = lane.inFlight {
                guard sent.entries.allSatisfy({ $0.sequence > request.upTo }) else { return nil }
            }
            guard let first = lane.sendable(consent)?.first, first <= request.upTo else { continue }
            if lane.inFlight != nil || !lane.isBlocked(isOnline: isOnline, at: now) { return nil }
            end = isOnline ? .failed : .offline
        }
        return end
    }

    /// A flush has ended. After its time limit no more requests start because of it, unless only the wait is limited; after
    /// a failure what is left is tried again by itself.
    ///
    /// - Parameter others: The flushes that go on.
    mutating func endFlush(_ request: FlushRequest, _ end: FlushEnd, others: [FlushRequest]) {
        for index in request.lanes {
            let others = others.filter { $0.lanes.contains(index) }
            lanes[index].endFlush(
                othersTo: others.map(\.upTo).max() ?? 0, isForced: others.contains { $0.isForced })
            if end == .failed || end == .offline || request.atLimit == .goesOn { lanes[index].drain(to: request.upTo) }
        }
    }
}
