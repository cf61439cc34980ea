/// Wakes one loop. Several calls before it waits again wake it once.
final class WakeSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func raise() { continuation.yield() }

    /// Every wait ends from now on.
    func finish() { continuation.finish() }

    /// Returns after the next `raise`, when it is finished, and when the task is cancelled. Only one task may wait.
    func wait() async {
        for await _ in stream { return }
    }
}
