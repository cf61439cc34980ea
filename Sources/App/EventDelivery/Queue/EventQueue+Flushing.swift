import PushDispatch

extension EventQueue {
    /// Sends what was captured before this call, as far as consent allows, and waits for it.
    ///
    /// - Parameters:
    ///   - destination: Nil for all.
    ///   - isForced: Ignores the connection, the back-off and the circuit until a request fails. A request that is under way
    ///     is waited for, not repeated.
    ///   - milliseconds: The limit for the whole call. No request starts later; one that is under way goes on.
    public func flush(
        _ destination: DestinationName? = nil, isForced: Bool = false, within milliseconds: Int64
    ) async -> FlushReport {
        guard (try? load()) != nil else { return FlushReport(end: .storeFailed) }
        let lane = destination.map { core.index(of: $0) ?? -1 }
        guard lane != -1 else { return FlushReport(end: .complete) }
        let request = core.flush(lane, isForced: isForced)
        let before = totals(of: request)
        let deadline = clock.now().advanced(byMilliseconds: max(0, milliseconds))
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
            saveSometime(StoreChanges())
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
        let now = clock.now()
        if let end = core.end(of: request, at: now) { return end }
        let id = waiters.newID()
        let limit = clock.schedule(at: deadline) { [weak self] in await self?.expire(id) ?? false }
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
            if let end = core.end(of: request, at: now) { waiters.end(id, end) }
        }
    }

    private func expire(_ id: Int) -> Bool {
        guard let request = waiters.end(id, .timeLimit) else { return false }
        core.stop(request)
        // Another flush may still want it.
        for (_, other) in waiters.requests { core.resume(other) }
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
