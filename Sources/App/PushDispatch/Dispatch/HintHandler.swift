/// Does what a hint asks for: usually fetches the records and stores them.
///
/// It may fail, wait for ever, ignore its cancellation: the dispatcher answers the system in time all the same. What it
/// may not do is block the thread it runs on, because there are as few as the device has cores: code that blocks belongs
/// on a queue of its own, started from a `CallbackHandler`.
public protocol HintHandler: Sendable {
    /// Whether it calls `HandlerContext.willSendRequest()` before its first request. Where it does not, which is the
    /// default, the same payload coming in while it runs is taken for another change, and it runs once more.
    var announcesRequests: Bool { get }

    /// - Returns: The truth about the records of the hint.
    /// - Throws: Any error; the records not reported done to `context` then count as unfinished.
    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport
}

extension HintHandler {
    public var announcesRequests: Bool { false }
}
