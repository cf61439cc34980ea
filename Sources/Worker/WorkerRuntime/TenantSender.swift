import APNSModel
import APNSProvider
import Synchronization
import WorkerCore

/// Sends for one tenant: pushes go in as they are decided, and come back with their outcomes.
///
/// One bulk send of the provider runs as long as the sender, because it costs the least for each push.
final class TenantSender: Sendable {
    private struct State {
        /// What the provider has not taken yet.
        var box: [OutgoingPush] = []
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
        var sent = SentPushes()
    }

    private let state = Mutex(State())
    private let provider: PushProvider
    private let report: @Sendable ([WorkerCore.Finished]) -> Void
    private let running: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ provider: PushProvider, report: @escaping @Sendable ([WorkerCore.Finished]) -> Void) {
        self.provider = provider
        self.report = report
        running.withLock { $0 = Task { await run() } }
    }

    func post(_ pushes: [OutgoingPush]) {
        let (waiter, isClosed) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            if state.box.isEmpty { state.box = pushes } else { state.box += pushes }
            defer { state.waiter = nil }
            return (state.waiter, false)
        }
        waiter?.resume()
        if isClosed { report(pushes.map(TenantSender.unsent)) }
    }

    private func run() async {
        let results = provider.send(submissions: { [self] in await nextBatch() })
        do {
            var iterator = results.makeAsyncIterator()
            while let batch = try await iterator.nextBatch() {
                let finished = state.withLock { state in
                    batch.compactMap { result in
                        state.sent.remove(result.index).map { WorkerCore.Finished($0, result) }
                    }
                }
                report(finished)
            }
        } catch {
            // The source throws nothing.
        }
        let rest = state.withLock { state in
            state.isClosed = true
            defer {
                state.box = []
                state.sent = SentPushes()
            }
            return state.box + state.sent.all
        }
        report(rest.map(TenantSender.unsent))
    }

    private func nextBatch() async -> [Submission] {
        while true {
            let (batch, isClosed) = state.withLock { state -> ([Submission], Bool) in
                guard !state.isClosed else { return ([], true) }
                let box = state.box
                state.box = []
                state.sent.append(box)
                return (box.map(\.submission), false)
            }
            if !batch.isEmpty || isClosed { return batch }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.box.isEmpty, !state.isClosed else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private static func unsent(_ push: OutgoingPush) -> WorkerCore.Finished {
        let error = APNSSendError(.cancelled, "the worker stopped before it was sent", isSafeToRetry: true)
        return WorkerCore.Finished(
            push.reference,
            APNSSendResult(index: 0, notification: push.notification, outcome: .unsent(error), attempts: 0))
    }

    /// Takes nothing more. What the provider has not taken is reported as unsent; what it has taken gets its outcome.
    func stop() {
        let (waiter, rest) = state.withLock { state in
            state.isClosed = true
            defer {
                state.waiter = nil
                state.box = []
            }
            return (state.waiter, state.box)
        }
        waiter?.resume()
        if !rest.isEmpty { report(rest.map(TenantSender.unsent)) }
    }

    /// Returns when every push has its outcome, at most after `limit`; what was written and has no answer then is unknown.
    func close(within limit: Duration) async {
        stop()
        let finished = Task {
            await running.withLock { $0 }?.value
            await provider.close()
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            await provider.close(within: .zero)
        }
        await finished.value
        deadline.cancel()
    }
}
