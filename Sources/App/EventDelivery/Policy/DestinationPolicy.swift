/// How one destination is served. Every number below 1 counts as 1.
public struct DestinationPolicy: Sendable {
    public var limits = QueueLimits()
    public var batch = BatchLimits()
    /// How events become the body of a request.
    public var form = BatchForm.json(key: "events")
    public var flush = FlushRules()
    public var answers = AnswerRules()
    public var backOff = BackOff()
    /// Nil for none.
    public var circuit: Circuit? = Circuit()
    /// What happens to an event whose purpose is pending.
    public var whilePending = PendingRule.keep
    /// The limit for one request. The queue cancels the task of the transport then.
    public var answerMilliseconds: Int64 = 10_000

    public init() {}
}

/// How much is kept for a destination. Events that are being sent count.
public struct QueueLimits: Hashable, Sendable {
    public var maximumEvents = 10_000
    /// The sum of `CapturedEvent.bytes`.
    public var maximumBytes = 8 << 20
    public var maximumEventBytes = 256 << 10
    public var overflow = OverflowRule.dropOldest

    public init() {}
}

/// Which event goes where there is no space. Both are reported. The record of an answer is never dropped for another event, and
/// takes the place of any.
public enum OverflowRule: Hashable, Sendable {
    /// The oldest event of the lowest priority, of all that are not being sent; the new one if its priority is lower still.
    case dropOldest
    /// The new event.
    case refuseNew
}

/// What fits into one request.
public struct BatchLimits: Hashable, Sendable {
    public var maximumEvents = 100
    /// The sum of `CapturedEvent.bytes`. A single event is sent whatever its size.
    public var maximumBytes = 512 << 10
    /// Whether events of different groups may share a request.
    public var mixesGroups = true

    public init() {}
}

/// When a flush starts by itself. It also starts when the device comes back online, and on demand.
public struct FlushRules: Hashable, Sendable {
    /// So many events are waiting; 1 sends each at once.
    public var count = 25
    /// The first of them has waited this long.
    public var intervalMilliseconds: Int64 = 30_000
    /// An event of this priority or a higher one starts a flush at once; nil for none.
    public var priority: EventPriority? = .high
    /// Whether what an earlier process has left is sent at the first use of the queue.
    public var atStart = true

    public init() {}
}

/// What happens to an event whose purpose is pending.
public enum PendingRule: Hashable, Sendable {
    /// It is kept, and sent after the person has opted in.
    case keep
    /// It is refused, and reported.
    case refuse
}
