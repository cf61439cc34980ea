/// What happened in a queue, for a log or a metric. It contains no body of an event.
public enum QueueReport: Hashable, Sendable {
    /// These events will not be sent, or not again. Every event that is not delivered is in exactly one of these reports.
    case dropped([DroppedEvent])
    case delivered(destination: DestinationName, count: Int)
    /// A request failed and is tried again. `status` is nil if there was no answer or the store could not be read.
    case failed(destination: DestinationName, status: Int?, retryInMilliseconds: Int64)
    /// No request is made for so long.
    case circuitOpened(destination: DestinationName, milliseconds: Int64)
    /// The store could not be opened, read or changed.
    case storeFailed(EventStoreError)
    /// The store's file was damaged. If this was found when the store was opened, every purpose is pending until the app sets
    /// it again.
    case storeRecovered(StoreRecovery)
}

/// Why `EventQueue.capture` has not kept an event. The event is in no other report.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The event will not be kept if it is captured again.
    public var reason: DropReason?
    /// The store failed; capturing again later can succeed.
    public var store: EventStoreError?

    public var description: String {
        if let reason { return "the event is not kept: \(reason)" }
        return store.map { "the event is not stored: \($0)" } ?? "the event is not kept"
    }
}

/// How a flush ended.
public struct FlushReport: Hashable, Sendable {
    /// Events that ended since the flush began.
    public var delivered = 0
    public var dropped = 0
    /// Events that are still kept, also those without consent.
    public var kept = 0
    public var end: FlushEnd
}

public enum FlushEnd: Hashable, Sendable {
    /// Everything that may be sent is sent, up to the events that were captured after the call.
    case complete
    /// The device is offline.
    case offline
    /// A request failed, or an earlier failure's wait is not over.
    case failed
    case timeLimit
    /// The store could not be opened, or the queue let go of it because its owner was destroyed.
    case storeFailed
}

/// What a queue holds for a destination.
public struct QueueStatus: Hashable, Sendable {
    /// Events that are kept, also those that are being sent.
    public var kept: Int
    /// The sum of their `CapturedEvent.bytes`.
    public var bytes: Int
    public var isSending: Bool
    /// Failures in a row.
    public var failures: Int
    /// Since the store was created.
    public var ledger: DeliveryLedger
}
