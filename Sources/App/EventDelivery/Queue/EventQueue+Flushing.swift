import PushDispatch

extension EventQueue {
    /// Sends what was captured before this call, as far as consent allows, and waits for it.
    ///
    /// - Parameters:
    ///   - destination: Nil for all.
    ///   - isForced: Ignores the connection, the back-off, the service's pause and the circuit until a request fails. A request that is under way
    ///     is waited for, not repeated.
    ///   - milliseconds: The limit for the whole call. No request starts for it later; one that is under way goes on, and so
    ///     does what the queue sends by itself.
    public func flush(
        _ destination: DestinationName? = nil, isForced: Bool = false, within milliseconds: Int64
    ) async -> FlushReport {
        await flush(destination, isForced: isForced, atLimit: .stops, within: milliseconds)
    }

    /// The same, but only the wait is limited: sending goes on afterwards, also if the task that waits is cancelled.
    package func waitUntilSent(_ destination: DestinationName, atMost milliseconds: Int64) async -> FlushReport {
        await flush(destination, isForced: false, atLimit: .goesOn, within: milliseconds)
    }

    private func flush(
        _ destination: DestinationName?, isForced: Bool, atLimit: DeliveryCore.AtLimit, within milliseconds: Int64
    ) async -> FlushReport {
        guard (try? load()) != nil else { return FlushReport(end: .storeFailed) }
        let lane = destination.map { core.index(of: $0) ?? -1 }
        guard lane != -1 else { return FlushReport(end: .complete) }
        var request = core.flush(lane, isForced: isForced)
        request.atLimit = atLimit
        let before = totals(of: request)
        let deadline = limitClock.now().advanced(byMilliseconds: max(0, milliseconds))
        pump()
        let end = await end(of: request, until: deadline)
        var report = totals(of: request)
        report.delivered -= before.delivered
        report.dropped -= before.dropped
        report.end = end
        return report
    }

    /// For the moment before the system suspends the app: makes what is kept survive a loss of power, and flushes.
    public func willEnterBackground(within milliseconds: Int64) async -> FlushReport {
        if (try? load()) != nil {
            if !unsaved.isEmpty { saveSometime(StoreChanges()) }
            _ = synchronize()
        }
        return await flush(within: milliseconds)
    }

    private func totals(of request: DeliveryCore.FlushRequest) -> FlushReport {
        request.lanes.reduce(into: FlushReport(end: .complete)) { sum, index in
            let ledger = core.ledgers[core.lanes[index].name] ?? DeliveryLedger()
            sum.delivered += ledger.delivered
            sum.dropped += ledger.totalDropped
            sum.kept += core.lanes[index].count
        }
    }

    private func end(of request: DeliveryCore.FlushRequest, until deadline: DispatchMoment) async -> FlushEnd {
        if let end = core.end(of: request, at: clock.now()) {
            core.endFlush(request, end, others: waiters.requests.map(\.request))
            return end
        }
        let id = waiters.newID()
        let limit = limitClock.schedule(at: deadline) { [weak self] in await self?.expire(id) ?? false }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiters.add(id, request, $0) }
        } onCancel: {
            start { [weak self] in _ = await self?.expire(id) }
        }
    }

    func endFlushes(at now: DispatchMoment) {
        guard !waiters.isEmpty else { return }
        for (id, request) in waiters.requests {
            guard let end = core.end(of: request, at: now) else { continue }
            finish(id, end)
        }
    }

    @discardableResult
    private func finish(_ id: Int, _ end: FlushEnd) -> Bool {
        guard let request = waiters.end(id, end) else { return false }
        core.endFlush(request, end, others: waiters.requests.map(\.request))
        return true
    }

    private func expire(_ id: Int) -> Bool {
        guard finish(id, .timeLimit) else { return false }
        // What the queue sends by itself needs its timer.
        pump()
        return true
    }
}

/// The flushes that wait for their end.
struct FlushWaiters {
    private var nextID = 0
    private var waiting:
        [Int: (request: DeliveryCore.FlushRequest, continuation: CheckedContinuation<FlushEnd, Never>)] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    var requests: [(id: Int, request: DeliveryCore.FlushRequest)] {
        waiting.keys.sorted().compactMap { id in waiting[id].map { (id, $0.request) } }
    }

    mutating func newID() -> Int {
        nextID += 1
        return nextID
    }

    mutating func add(
        _ id: Int, _ request: DeliveryCore.FlushRequest, _ continuation: CheckedContinuation<FlushEnd, Never>
    ) {
        waiting[id] = (request, continuation)
    }

    /// - Returns: The request; nil if it has ended before.
    @discardableResult
    mutating func end(_ id: Int, _ end: FlushEnd) -> DeliveryCore.FlushRequest? {
        guard let waiter = waiting.removeValue(forKey: id) else { return nil }
        waiter.continuation.resume(returning: end)
        return waiter.request
    }
}
