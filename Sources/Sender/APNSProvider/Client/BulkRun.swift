import APNSModel
import APNSPayload
import APNSTransport
import NIOCore

/// One bulk send: takes notifications from the source, and keeps at most `window` of them between the source and the
/// reader of the results. Confined to the provider's event loop.
final class BulkRun {
    private let loop: NIOLoopBoundBox<ProviderLoop>
    private let output: BulkOutput
    private let window: Int
    private let timeoutNanoseconds: Int64
    private var validator: Validator?
    /// The notifications that are queued or in flight.
    let submissions = SubmissionGroup()

    /// Notifications that were taken from the source and have no result yet.
    private var pending = 0
    /// Results of this turn.
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

    private var sourceTask: Task<Void, Never>?

    /// - Parameter sourceTask: Reads the source. Cancelled when the send is stopped, so that a source that waits for its next
    ///   element ends too.
    func start(_ sourceTask: Task<Void, Never>) {
        guard !isSourceDone else { return }
        self.sourceTask = sourceTask
        if isStopped { sourceTask.cancel() }
        loop.value.started(self)
    }

    /// Takes one notification from the source.
    func take(_ notification: consuming APNSNotification) {
        guard !isFinished else { return }
        let index = taken
        taken += 1
        pending += 1
        let now = MonotonicTime.now
        if !loop.value.isAccepting { stop() }
        let error =
            isStopped ? APNSSendError.stopped : validator?.firstError(for: notification).map { APNSSendError($0) }
        let submission = Submission(
            id: loop.value.newID(), notification: consume notification, recipient: .bulk(self, index: index),
            submitted: now,
            deadline: now.advanced(byNanoseconds: timeoutNanoseconds))
        guard let error else { return loop.value.submit(submission, in: submissions) }
        submission.resolve(.unsent(loop.value.isAccepting ? error : .closedProvider))
        submission.resolved = now
        resolved(submission)
        if batch.count == 1 {
            // Nothing else ends this turn while the source waits for its next element.
            loop.value.eventLoop.assumeIsolated().execute { self.turnEnded() }
        } else if batch.count >= 64 {
            turnEnded()
        }
    }

    /// Whether the window has room for another notification. If not, the source waits with `waitForCapacity`.
    var hasCapacity: Bool { pending + batch.count + output.count < window }

    /// How many notifications the default window has beyond the streams of the connections. They are queued, so that
    /// streams do not become idle while the source is read.
    static let margin = 300

    /// Returns when a good part of the window is free, or the send was stopped.
    func waitForCapacity(isolation: isolated (any Actor)? = nil) async {
        turnEnded()
        guard !isStopped, !hasRefillCapacity else { return }
        await withCheckedContinuation { resume = $0 }
    }

    /// Whether a quarter of the window, at most the margin, is free. Waking the source for each single notification would
    /// cost a resumption each; beyond the margin, streams are idle.
    private var hasRefillCapacity: Bool { pending + output.count <= window - min(max(1, window / 4), BulkRun.margin) }

    func resolved(_ submission: Submission) {
        pending -= 1
        batch.append(APNSSendResult(submission))
    }

    /// Every result of this turn was given to `resolved`.
    func turnEnded() {
        if !batch.isEmpty {
            output.append(&batch)
        }
        if let resume, isStopped || hasRefillCapacity {
            self.resume = nil
            resume.resume()
        }
        finishIfDone()
    }

    /// The reader has used up a batch of results, so the window may have room.
    func outputRead() { turnEnded() }

    // MARK: Ending

    private var isSourceDone = false
    private var isFinished = false
    private var sourceError: (any Error)?

    func sourceEnded(_ error: (any Error)?) {
        sourceTask = nil
        guard !isFinished else { return }
        isSourceDone = true
        sourceError = isStopped && error is CancellationError ? nil : error
        turnEnded()
    }

    private func finishIfDone() {
        guard isSourceDone, pending == 0, batch.isEmpty, !isFinished else { return }
        isFinished = true
        output.finish(sourceError)
        loop.value.ended(self)
    }

    /// Ends without the source, which has not ended though it was cancelled. What it gives from now on is not taken.
    func leaveSource() {
        stop()
        isSourceDone = true
        turnEnded()
    }

    /// Takes nothing more from the source and resolves queued notifications as unsent. In-flight requests go on.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        sourceTask?.cancel()
        loop.value.stop(submissions)
        turnEnded()
    }
}

extension APNSSendError {
    static let stopped = APNSSendError(
        .cancelled, "the send was stopped before the notification was sent", isSafeToRetry: true)

    init(_ finding: Finding) {
        self.init(.invalidNotification, "\(finding.message) [\(finding.rule)]", isSafeToRetry: true)
    }
}
