import APNSModel
import NIOCore

/// The end of an event loop's part of a provider.
extension ProviderLoop {
    /// Resolves everything that is queued as unsent and stops the bulk sends.
    ///
    /// - Parameter limit: After this time nothing is waited for any more. Nil waits for the in-flight requests, which end at
    ///   their deadlines, and for no source of a bulk send.
    /// - Returns: A future that completes when the in-flight requests have ended and the connections are closed.
    func close(within limit: Duration? = nil) -> EventLoopFuture<Void> {
        let future = whenClosed()
        if let limit {
            let nanoseconds = min(limit, ProviderLoop.longestLimit).wholeNanoseconds
            closeTimers.append(
                eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(nanoseconds)) { self.endNow() })
        }
        for caller in inbox.close() {
            metrics?.count(unsent: .closedProvider)
            caller.resolve(.unsent(.closedProvider))
        }
        emptyInbox()
        resolutions += core.close()
        for run in Array(bulkRuns.values) { run.stop() }
        work()
        return future
    }

    /// Completes when the provider is closed. Does not close it.
    func whenClosed() -> EventLoopFuture<Void> {
        if isClosed { return eventLoop.makeSucceededVoidFuture() }
        let promise = closed ?? eventLoop.makePromise(of: Void.self)
        closed = promise
        return promise.futureResult
    }

    /// Whether the provider was closed and nothing is left.
    private var isClosed: Bool { core.isClosing && core.isIdle && (closeTimers.isEmpty || bulkRuns.isEmpty) }

    /// Completes the futures of `close` and `whenClosed` if nothing is left.
    func finishClosing() {
        guard isClosed else { return }
        // The event loop may be shut down after this, so a source that ignores cancellation could never end its bulk send.
        for run in Array(bulkRuns.values) { run.leaveSource() }
        for timer in closeTimers { timer.cancel() }
        closeTimers = []
        closed?.succeed()
        closed = nil
        others = []  // each holds this one
    }

    /// The time limit has passed: what was written and has no answer is unknown, and nobody waits for the sources of bulk
    /// sends.
    private func endNow() {
        guard !isClosed else { return }
        core.endInFlight(resolved: &resolutions, wasSent: wasSent)
        for delegate in connections { delegate?.close() }
        work()
        for run in Array(bulkRuns.values) { run.leaveSource() }
        finishClosing()
    }

    // MARK: Bulk sends

    /// A bulk send has begun. It is kept until `ended`.
    func started(_ run: BulkRun) {
        bulkRuns[ObjectIdentifier(run)] = run
        if !isAccepting { run.stop() }
    }

    /// A bulk send has passed on its last result.
    func ended(_ run: BulkRun) {
        bulkRuns[ObjectIdentifier(run)] = nil
        guard core.isClosing, bulkRuns.isEmpty else { return }
        eventLoop.assumeIsolated().execute { self.finishClosing() }
    }

    /// Long enough for any limit, and short enough for the timers of the event loop.
    private static let longestLimit = Duration.seconds(86_400 * 365)
}
