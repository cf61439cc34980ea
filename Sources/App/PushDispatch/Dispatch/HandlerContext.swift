/// What a running handler asks and reports.
public struct HandlerContext: Sendable {
    /// The handler's task is cancelled at this moment.
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

    /// Call this before the first request is sent. If the same payload arrives later, the handler runs once more,
    /// because the answer may be older than the change.
    public func willSendRequest() async { await onRequest() }

    /// Call this when records are stored, or need no change. Then they are not unfinished if time runs out.
    ///
    /// - Parameter changed: How many of them were added, changed or removed.
    public func done(_ records: [RecordID], changed: Int) async { await onDone(records, changed) }
}
