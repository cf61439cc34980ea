/// Makes the changes of a store one after the other, in the order in which they were asked for.
///
/// A store that is asked for two things at a time may do them in any order, above all a slow one. An answer would then
/// overwrite a newer one, or a hint come to another user. So what must not overtake waits here, and what decides about a
/// change is looked at when it is its turn. It belongs to one actor, on which all of it runs.
package final class ChangeOrder {
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Begins `change` when those before it have ended. Nothing in `change` may wait for another one.
    package func callAsFunction<Result>(
        isolation: isolated (any Actor)? = #isolation, _ change: () async throws -> Result
    ) async rethrows -> Result {
        if isChanging {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isChanging = true
        }
        defer {
            // The next one begins before anybody else can ask.
            if waiting.isEmpty { isChanging = false } else { waiting.removeFirst().resume() }
        }
        return try await change()
    }
}
