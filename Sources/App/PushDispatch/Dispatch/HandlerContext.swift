/// What a handler may ask of the dispatcher, and must tell it, while it works.
public struct HandlerContext: Sendable {
    /// No new work from here on; the task is cancelled at this moment.
    public let stopAt: DispatchMoment
    private let clock: any DispatchClock
    private let onRequest: @Sendable () async -> Void
    private let onDone: @Sendable ([RecordID], Int) async -> Void

    public init(
        stopAt: DispatchMoment, clock: any DispatchClock, onRequest: @escaping @Sendable () async -> Void,
        onDone: @escaping @Sendable ([RecordID], Int) async -> Void
    ) {
        self.stopAt = stopAt
        self.clock = clock
        self.onRequest = onRequest
        self.onDone = onDone
    }

    /// Zero once `stopAt` is reached.
    public var remainingMilliseconds: Int64 { max(0, stopAt.milliseconds(since: clock.now())) }

    /// To be called right before the first request goes out: the same push coming in later then asks for one more
    /// fetch, because the answer may be older than what it announces.
    public func willSendRequest() async { await onRequest() }

    /// To be called when records are stored, or turned out to need nothing, so that running out of time does not make
    /// them unfinished.
    ///
    /// - Parameter changed: How many of them were stored anew, changed or removed.
    public func done(_ records: [RecordID], changed: Int) async { await onDone(records, changed) }
}
