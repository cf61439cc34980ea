/// Runs async operations of one actor one after the other, in the order in which they were asked for.
///
/// An actor runs other calls while it waits for a store. Without a queue a slow store could overwrite a newer answer
/// with an older one, or keep a hint for a user who has logged out meanwhile. An operation therefore checks what it
/// depends on inside the queue, when it starts. A queue belongs to one actor, and all operations run on it.
package final class SerialQueue {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// How many operations wait for an earlier one.
    package var waitingCount: Int { waiting.count }

    /// Starts `operation` when all earlier ones have ended. An operation that waits for another one of the same queue
    /// never ends.
    package func callAsFunction<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        defer {
            // The queue stays busy when it resumes the next operation, so a call that comes before that one runs waits.
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await operation()
    }
}
