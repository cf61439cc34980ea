/// The results of a bulk send, in the order in which they arrive. Iterate over it once: a second iterator stops the process
/// with a message, because each result would reach only one of the two.
///
/// Every notification that was taken from the source has exactly one result. Cancelling the reading task or calling
/// `stop()` ends the send: nothing more is taken from the source, notifications that were not written are unsent, and the
/// sequence ends when the written ones have their outcomes and the source has ended. `PushProvider.close(within:)` does not
/// wait for a source that ignores cancellation.
///
/// Dropping the iterator stops the send too, and so does dropping the sequence unread. The remaining results are lost then,
/// and their memory is freed. While they are kept and not read, the window bounds them.
public struct APNSSendResults: AsyncSequence, Sendable {
    public typealias Element = APNSSendResult

    private let run: BulkRun
    private let output: BulkOutput
    private let lane: ProviderLane
    private let lifetime: Lifetime
    /// Keeps the provider open: dropping its last reference closes it.
    private let provider: PushProvider

    init(
        run: BulkRun, output: BulkOutput, lane: ProviderLane, provider: PushProvider
    ) {
        self.run = run
        self.output = output
        self.lane = lane
        lifetime = Lifetime(run, output, lane)
        self.provider = provider
    }

    /// Stops the send and frees its results when nobody can read them any more.
    private final class Lifetime: Sendable {
        private let run: BulkRun
        private let output: BulkOutput
        private let lane: ProviderLane

        init(_ run: BulkRun, _ output: BulkOutput, _ lane: ProviderLane) {
            self.run = run
            self.output = output
            self.lane = lane
        }

        deinit {
            output.abandon()
            lane.execute { [run] _ in run.stop() }
        }
    }

    /// Takes nothing more from the source. The notifications that were taken still get their results.
    public func stop() { lane.execute { _ in run.stop() } }

    /// The same, and calls `stopped`: what is taken after that is not sent. It is called on an event loop, or at once where the
    /// provider is closed.
    package func stop(_ stopped: @escaping @Sendable () -> Void) {
        let body: @Sendable (ProviderLoop) -> Void = { _ in
            run.stop()
            stopped()
        }
        lane.execute(body, otherwise: stopped)
    }

    /// How many notifications were taken from the source so far. Each of them has a result, or will have one.
    package var takenCount: Int { output.takenCount }

    public func makeAsyncIterator() -> Iterator {
        output.startReading()
        return Iterator(results: self, output: output)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let results: APNSSendResults
        private let output: BulkOutput
        private let lifetime: Lifetime
        private var batch: [APNSSendResult] = []
        private var position = 0

        init(results: APNSSendResults, output: BulkOutput) {
            self.results = results
            self.output = output
            lifetime = Lifetime(results.run, output, results.lane)
        }

        /// The next result; nil after the last one. Throws the error of the source, after all results.
        public mutating func next() async throws -> APNSSendResult? { try await next(isolation: nil) }

        /// The same on the caller's actor. Leaving it would cost two changes of threads for each result.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> APNSSendResult? {
            if position < batch.count {
                defer { position += 1 }
                return batch[position]
            }
            guard try await readNext(isolation: actor) else { return nil }
            position = 1
            return batch[0]
        }

        /// All results that have arrived, in their order; it waits for at least one. Nil after the last one. For a reader that
        /// handles many results at once.
        package mutating func nextBatch(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> [APNSSendResult]? {
            let rest = position < batch.count ? Array(batch[position...]) : []
            guard rest.isEmpty else {
                position = batch.count
                return rest
            }
            guard try await readNext(isolation: actor) else { return nil }
            position = batch.count
            return batch
        }

        /// Replaces `batch`, which is used up.
        ///
        /// - Returns: False at the end.
        private mutating func readNext(isolation actor: isolated (any Actor)?) async throws(any Error) -> Bool {
            let (results, output) = (results, output)
            if !batch.isEmpty {
                // This frees their part of the window. Before, the iterator still held them.
                output.read(batch.count)
                batch.removeAll()
                position = 0
                results.lane.execute { _ in results.run.outputRead() }
            }
            let next = await withTaskCancellationHandler {
                await output.next(isolation: actor)
            } onCancel: {
                results.stop()
            }
            switch next {
            case .results(let taken):
                batch = taken
                return true
            case .end(let error):
                if let error { throw error }
                return false
            }
        }
    }
}
