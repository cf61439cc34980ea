import ServiceHost

/// Keeps a simulated service running until a signal stops it, or its port fails.
///
/// Make it before the ready message, because the reader of that message may stop the service at once.
struct ServiceRun {
    private let stop: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let signals: Signals

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        stop = stream
        self.continuation = continuation
        signals = Signals { _ in continuation.finish() }
    }

    /// - Returns: Why the port failed; nil after a signal.
    func wait<World>(for server: WorldServer<World>) async -> (any Error)? {
        // Only the ready message says which port was taken.
        if Output.standard.isFull { continuation.finish() }
        let stop = stop
        let failure: (any Error)? = await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stop {} }
            group.addTask { try await server.wait() }
            let ending = await group.nextResult()
            await server.stop()
            group.cancelAll()
            guard case .failure(let error) = ending else { return nil }
            return error
        }
        withExtendedLifetime(signals) {}
        return failure
    }
}
