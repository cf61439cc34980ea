import APNSModel
import APNSPayload
import APNSTransport
import NIOCore
import Synchronization

/// One bulk send: pulls from the source on the event loop, and keeps no more than `window` notifications between the
/// source and the reader of the results.
///
/// What has no lock around it belongs to the event loop.
final class BulkRun {
    private let loop: NIOLoopBoundBox<ProviderLoop>
    private let output: BulkOutput
    private let window: Int
    private let timeoutNanoseconds: Int64
    private var validator: Validator?

    /// Notifications that were taken from the source and whose result is not in the output yet.
    private var pending = 0
    private var batch: [APNSSendResult] = []
    private var resume: CheckedContinuation<Void, Never>?
    private(set) var isStopped = false
    private var taken = 0

    init(loop: NIOLoopBoundBox<ProviderLoop>, output: BulkOutput, window: Int, timeout: Duration, validates: Bool) {
        self.loop = loop
        self.output = output
        self.window = window
        timeoutNanoseconds = timeout.wholeNanoseconds
        validator = validates ? Validator() : nil
    }

    /// What reads the source; cancelled when the send is stopped, so that a source that waits ends as well.
    var pump: Task<Void, Never>? {
        didSet { if isStopped { pump?.cancel() } }
    }

    /// Takes one notification from the source.
    func take(_ notification: consuming APNSNotification) {
        let index = taken
        taken += 1
        pending += 1
        let now = MonotonicTime.now
        if !loop.value.isTaking { stop() }
        let fault =
            isStopped ? APNSSendError.stopped : validator?.firstError(for: notification).map { APNSSendError($0) }
        let submission = Submission(
            id: loop.value.newID(), notification: consume notification, ticket: .bulk(self, index: index),
            submitted: now,
            deadline: now.advanced(byNanoseconds: timeoutNanoseconds))
        guard let fault else { return loop.value.submit(submission) }
        submission.resolve(.unsent(loop.value.isTaking ? fault : .closedProvider))
        submission.resolved = now
        resolved(submission)
        if batch.count >= 64 { turnEnded() }
    }

    /// Room for one more; false when the source should wait with `waitForRoom`.
    var hasRoom: Bool { pending + batch.count + output.count < window }

    /// What a window has beyond the streams of the connections: so much waits for a stream while the source is read.
    static let margin = 300

    /// Returns when there is room that is worth the way to the source, or the send was stopped.
    func waitForRoom(isolation: isolated (any Actor)? = nil) async {
        turnEnded()
        guard !isStopped, !roomIsWorthIt else { return }
        await withCheckedContinuation { resume = $0 }
    }

    /// Once more than the margin is free, streams are idle.
    private var roomIsWorthIt: Bool { pending + output.count <= window - min(max(1, window / 4), BulkRun.margin) }

    func resolved(_ submission: Submission) {
        pending -= 1
        batch.append(APNSSendResult(submission))
    }

    /// All that this turn resolves was told.
    func turnEnded() {
        if !batch.isEmpty {
            output.append(&batch)
        }
        if let resume, isStopped || roomIsWorthIt {
            self.resume = nil
            resume.resume()
        }
        finishIfDone()
    }

    /// The reader is done with results, so there may be room.
    func outputRead() { turnEnded() }

    // MARK: Ending

    private var isSourceDone = false
    private var sourceError: (any Error)?

    func sourceEnded(_ error: (any Error)?) {
        isSourceDone = true
        sourceError = isStopped && error is CancellationError ? nil : error
        pump = nil
        turnEnded()
    }

    private func finishIfDone() {
        if isSourceDone, pending == 0, batch.isEmpty { output.finish(sourceError) }
    }

    /// Takes nothing more from the source and gives back what waits; what is under way is waited for.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        pump?.cancel()
        loop.value.stop(self)
        turnEnded()
    }
}

/// The results of a bulk send between the event loop and their reader: batches go in, batches come out.
final class BulkOutput: Sendable {
    private struct State {
        var results: [APNSSendResult] = []
        var reader: CheckedContinuation<Void, Never>?
        var isFinished = false
        var error: (any Error)?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())
    /// How many results nobody has read yet. Read by the loop for its window, where a number that is a moment old is fine.
    private let unread = Atomic(0)

    var count: Int { unread.load(ordering: .relaxed) }

    /// Takes what is in `batch` and leaves it empty.
    func append(_ batch: inout [APNSSendResult]) {
        unread.add(batch.count, ordering: .relaxed)
        let reader = state.withLock { state in
            // Swapped where nothing waits, so that no result is copied, and the memory goes back and forth.
            if state.results.isEmpty { swap(&state.results, &batch) } else { state.results += batch }
            return state.takeReader()
        }
        batch.removeAll(keepingCapacity: true)
        reader?.resume()
    }

    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state in
            state.isFinished = true
            state.error = error
            return state.takeReader()
        }
        reader?.resume()
    }

    /// The reader has handed on `count` results.
    func read(_ count: Int) { unread.subtract(count, ordering: .relaxed) }

    enum Next {
        case results([APNSSendResult])
        case end((any Error)?)
    }

    /// The next results, as many as there are; waits for at least one, or for the end.
    func next(isolation: isolated (any Actor)?) async -> Next {
        while true {
            let next: Next? = state.withLock { state in
                if !state.results.isEmpty {
                    var taken: [APNSSendResult] = []
                    swap(&taken, &state.results)
                    return .results(taken)
                }
                return state.isFinished ? .end(state.error) : nil
            }
            if let next { return next }
            await withCheckedContinuation(isolation: isolation) { continuation in
                let isReady = state.withLock { state in
                    if !state.results.isEmpty || state.isFinished { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}

extension APNSSendError {
    static let stopped = APNSSendError(.cancelled, "the send was stopped before it was sent", isSafeToRetry: true)

    /// A finding of the check before sending.
    init(_ finding: Finding) {
        self.init(.invalidNotification, "\(finding.message) [\(finding.rule)]", isSafeToRetry: true)
    }
}
