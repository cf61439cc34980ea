/// Does what a hint asks for: usually fetches the records and stores them.
///
/// It may fail, hang, ignore its cancellation: the dispatcher answers the system in time all the same.
public protocol HintHandler: Sendable {
    /// - Returns: The truth about the records of the hint.
    /// - Throws: Any error; the records not reported done to `context` then count as unfinished.
    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport
}
