internal import PushQueue
internal import RedisClient

/// A blocking command whose task may be cancelled.
enum QueueRun {
    static let cancelled = QueueError(.cancelled, "the task was cancelled", isTemporary: false)

    /// Runs a command that reads and reserves nothing. A cancellation closes the client, so that nothing waits for the reply.
    ///
    /// - Returns: Whether the task was cancelled.
    static func block(
        _ client: RedisClient, _ command: RedisCommand, timeout: Duration
    ) async throws(RedisError) -> Bool {
        let result: Result<Void, RedisError> = await withTaskCancellationHandler {
            do throws(RedisError) {
                _ = try await client.send(command, timeout: timeout + .seconds(10))
                return .success(())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            Task { await client.close() }
        }
        if Task.isCancelled {
            await client.close()
            return true
        }
        try result.get()
        return false
    }
}
