import ProviderTracing
import Synchronization

/// The span of a bulk send, with the counts of its outcomes.
final class BulkTrace: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var sourceError: (any Error)?
    }

    private let span: SendSpan
    private let state = Mutex(State())

    init(_ span: SendSpan) { self.span = span }

    func count(_ results: [APNSSendResult]) {
        state.withLock { state in
            for result in results { state.counts[result.outcome.name, default: 0] += 1 }
        }
    }

    func sourceFailed(_ error: (any Error)?) { state.withLock { $0.sourceError = error } }

    /// All results have arrived.
    func end() {
        let (counts, error) = state.withLock { ($0.counts, $0.sourceError) }
        span.end(counts: counts, error: error)
    }
}
