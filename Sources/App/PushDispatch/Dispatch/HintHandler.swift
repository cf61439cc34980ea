/// Handles a hint: usually fetches the records and stores them.
///
/// A handler may fail, hang or ignore its cancellation: the dispatcher still answers the system in time. It must not
/// block its thread, because there are only as many as the device has cores. Run blocking code on a dispatch queue,
/// started from a `CallbackHandler`.
public protocol HintHandler: Sendable {
    /// Whether the handler calls `HandlerContext.willSendRequest()` before its first request. If not, which is the
    /// default, the same payload that arrives while it runs counts as another change, and it runs once more.
    var announcesRequests: Bool { get }

    /// - Returns: What became of the records of the hint.
    /// - Throws: Any error. Then the records that were not reported to `context` as done are unfinished.
    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport
}

extension HintHandler {
    public var announcesRequests: Bool { false }
}
