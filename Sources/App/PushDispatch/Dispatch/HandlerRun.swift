/// One run of a handler for one hint, and the calls of the system that wait for its result.
struct HandlerRun: Sendable {
    enum Phase: Hashable, Sendable {
        /// Starts when the run before it for the same payload has ended.
        case waiting
        /// The handler runs and has sent no request.
        case running
        case requested
        /// The handler has returned, or was stopped.
        case settling(Settling)
    }

    struct Settling: Hashable, Sendable {
        var result: PushResult
        /// Whether the pending store has answered, or there was nothing to keep.
        var isKept = false
        /// Whether the handler was stopped because its time ran out, and has not returned. What it stores until the
        /// deadline still counts.
        var awaitsHandler = false
    }

    let identity: PushIdentity
    let hint: Hint
    let arrived: DispatchMoment
    var entryPoints: Set<EntryPoint>
    var deadline: DispatchMoment
    var calls: [DispatchCore.CallID]
    var phase: Phase
    /// The run that starts when this one ends.
    var next: DispatchCore.RunID?
    var done: Set<RecordID> = []
    var changed = 0

    /// The report of a handler that was stopped or threw.
    var stopReport: HandlerReport {
        HandlerReport(changed: changed, unfinished: hint.records.filter { !done.contains($0) }, isFailed: true)
    }
}
