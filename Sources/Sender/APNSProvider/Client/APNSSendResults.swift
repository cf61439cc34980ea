import NIOCore

/// The results of a bulk send, in the order in which they come about. Read it once.
///
/// When the reading task is cancelled or `stop()` is called, nothing more is taken from the source, what was not written
/// is given back as unsent, and the sequence ends when what was written has its outcome. So every notification that was
/// taken from the source has exactly one result, always. A reader that goes away before the end stops the send as well;
/// what was written by then ends without anybody to tell.
public struct APNSSendResults: AsyncSequence, Sendable {
    public typealias Element = APNSSendResult

    private let run: NIOLoopBoundBox<BulkRun>
    private let output: BulkOutput
    private let eventLoop: any EventLoop
    /// Kept, because a provider that nobody has any more closes.
    private let provider: PushProvider

    init(
        run: NIOLoopBoundBox<BulkRun>, output: BulkOutput, eventLoop: any EventLoop, provider: PushProvider
    ) {
        self.run = run
        self.output = output
        self.eventLoop = eventLoop
        self.provider = provider
    }

    /// Takes nothing more from the source. Results go on to come for what was taken.
    public func stop() { eventLoop.execute { run.value.stop() } }

    public func makeAsyncIterator() -> Iterator { Iterator(results: self, output: output) }

    public struct Iterator: AsyncIteratorProtocol {
        private let results: APNSSendResults
        private let output: BulkOutput
        private let presence: Presence
        private var batch: [APNSSendResult] = []
        private var position = 0

        /// Stops the send when its reader goes away.
        private final class Presence: Sendable {
            private let results: APNSSendResults

            init(_ results: APNSSendResults) { self.results = results }

            deinit { results.stop() }
        }

        init(results: APNSSendResults, output: BulkOutput) {
            self.results = results
            self.output = output
            presence = Presence(results)
        }

        /// The next result; nil after the last one. Throws what the source threw, after all results.
        public mutating func next() async throws -> APNSSendResult? { try await next(isolation: nil) }

        /// The same without leaving the caller's actor, which would cost two changes of threads for each result.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> APNSSendResult? {
            if position < batch.count {
                defer { position += 1 }
                return batch[position]
            }
            let (results, output) = (results, output)
            if !batch.isEmpty {
                // Only now are they out of the window: until here this iterator held them.
                output.read(batch.count)
                batch.removeAll()
                position = 0
                results.eventLoop.execute { results.run.value.outputRead() }
            }
            let next = await withTaskCancellationHandler {
                await output.next(isolation: actor)
            } onCancel: {
                results.stop()
            }
            switch next {
            case .results(let taken):
                batch = taken
                position = 1
                return taken[0]
            case .end(let error):
                if let error { throw error }
                return nil
            }
        }
    }
}
