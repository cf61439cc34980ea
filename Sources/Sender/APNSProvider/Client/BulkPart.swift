import APNSModel
import APNSPayload
import APNSTransport
import NIOCore
import Synchronization

/// The notifications of a bulk send that are with one of the provider's event loops. Confined to that loop, but for `load`.
final class BulkPart {
    private let loop: NIOLoopBoundBox<ProviderLoop>
    private let output: BulkOutput
    private var validator: Validator?
    /// The notifications that are queued or in flight, but for those that came from another event loop.
    let submissions = SubmissionGroup()
    /// Whether some came from another event loop. Their deadlines are in no order, so each has its own.
    private var hasMoved = false
    private(set) var isStopped = false
    /// Results of this turn.
    private var batch: [APNSSendResult] = []
    private let open = Atomic(0)

    init(loop: NIOLoopBoundBox<ProviderLoop>, output: BulkOutput, validates: Bool, allowsNewPushTypes: Bool) {
        self.loop = loop
        self.output = output
        validator = validates ? Validator(allowsNewPushTypes: allowsNewPushTypes) : nil
    }

    /// With several event loops: the notifications here without an outcome. Other loops read it.
    var load: Int { open.load(ordering: .relaxed) }

    func add(load count: Int) { open.add(count, ordering: .relaxed) }

    /// Why a notification is not sent; nil when it is.
    func error(in submission: Submission) -> APNSSendError? {
        let isAccepting = loop.value.isAccepting
        if isStopped || !isAccepting { return isAccepting ? .stopped : .closedProvider }
        guard validator != nil, let notification = submission.notification else { return nil }
        return validator?.firstError(for: notification).map { APNSSendError($0) }
    }

    /// Takes a notification from the source.
    func take(_ submission: Submission, _ error: consuming APNSSendError?, of run: BulkRun) {
        guard let error else { return loop.value.submit(submission, in: submissions) }
        refuse(submission, error)
        if batch.count == 1 {
            // Nothing else ends this turn while the source waits for its next element.
            loop.value.eventLoop.assumeIsolated().execute { self.turnEnded(of: run) }
        } else if batch.count >= 64 {
            turnEnded(of: run)
        }
    }

    /// Takes notifications that were dealt to this event loop.
    func take(_ dealt: [Submission], of run: BulkRun) {
        for submission in dealt {
            if let error = error(in: submission) {
                refuse(submission, error)
            } else {
                loop.value.submit(submission, in: submissions)
            }
        }
        turnEnded(of: run)
    }

    private func refuse(_ submission: Submission, _ error: APNSSendError) {
        loop.value.metrics?.count(unsent: error)
        submission.resolve(.unsent(error))
        submission.resolved = .now
        batch.append(APNSSendResult(submission))
    }

    /// A notification has its outcome.
    func resolved(_ submission: Submission) { batch.append(APNSSendResult(submission)) }

    /// Every result of this turn was given to `resolved`.
    func turnEnded(of run: BulkRun) {
        guard !batch.isEmpty else { return }
        if run.parts.count > 1 { open.subtract(batch.count, ordering: .relaxed) }
        if output.append(&batch) { run.finished() }
        loop.value.reportIdleMetrics()
    }

    // MARK: Moving

    /// Notifications are passed on to another event loop.
    func gave(_ count: Int, to other: BulkPart) {
        open.subtract(count, ordering: .relaxed)
        other.add(load: count)
    }

    /// A notification came from another event loop.
    func received() { hasMoved = true }

    // MARK: Ending

    /// Resolves what is queued as unsent. In-flight requests go on.
    func stop(_ run: BulkRun, on loop: ProviderLoop) {
        isStopped = true
        loop.stop(submissions, of: hasMoved ? run : nil)
        turnEnded(of: run)
    }
}
