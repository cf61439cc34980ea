import APNSModel
import APNSProvider
import PushQueue

/// A push that fails by the connection or the credentials, while others get answers.
///
/// One failure says nothing about the push: the gateway may be gone, or the key revoked. When the same push fails again and again
/// and others of its tenant get answers in between, it is the push.
extension WorkerCore {
    /// So many failures, between which others got answers, are the push's own fault.
    static let maximumFailures = 3
    /// How much later than others of its tenant a push comes back from the engine that failed, so that one of them is the next
    /// probe. Waits are rounded to as much.
    private static let failedTurn = Duration.seconds(5)

    /// Notes what an outcome says about the push and its tenant. Call it once for each outcome.
    mutating func noteFailure(
        of finished: Finished, _ outcome: APNSOutcome, _ slot: Int, _ tenant: Int, _ followUp: FollowUp,
        at now: MonotonicTime
    ) -> PushFailure {
        guard followUp == .connection || followUp == .credentials else {
            switch outcome {
            case .accepted, .refused:
                // After 500 or 503, the same overload may be why others have no answer.
                if followUp != .later { tenants[tenant].lastAnswer = now }
            case .unsent, .unknown: break
            }
            return .none
        }
        if case .unsent(let error) = outcome,
            error.code == .cancelled || error.code == .providerClosed || error.code == .queueFull
        {
            return .none
        }
        let job = slots[slot]
        let line = Int(finished.reference.line)
        let before = job.failures[line] ?? pastFailures(job)
        // A push that was never written to a connection is not the cause.
        var isNew = finished.result.attempts > 0
        if isNew, let before { isNew = tenants[tenant].lastAnswer.map { $0 > before.last } ?? false }
        let count = (before?.count ?? 0) + (isNew ? 1 : 0)
        slots[slot].failures[line] = PushFailures(count: count, last: now)
        return PushFailure(
            isNew: isNew, isRepeat: before != nil, isOwn: count >= WorkerCore.maximumFailures)
    }

    /// The failures of a push before it came back from the engine. The last attempt in the history is the last of them.
    private func pastFailures(_ job: HeldJob) -> PushFailures? {
        guard job.context.failures > 0, let offset = engineOffset else { return nil }
        // A stranger may have written any time.
        let at = min(max(job.context.history.last?.at ?? job.job.enqueuedAt, 0), 1 << 50) - offset
        return PushFailures(
            count: job.context.failures, last: MonotonicTime(nanoseconds: at.multipliedSaturated(by: 1_000_000)))
    }

    /// How long a push that failed waits in the engine: longer than those of its tenant that have not failed.
    func failedWait(_ tenant: Int, at now: MonotonicTime) -> Duration {
        rounded(wait(of: tenant, isFresh: false, at: now) * 1.2 + WorkerCore.failedTurn)
    }

    /// A push that fails by its own fault waits as after any attempt that failed, and stops no others. The attempt counts, unless
    /// nothing was answered since the last one.
    mutating func setAside(
        _ finished: Finished, _ slot: Int, _ failure: PushFailure, _ reason: String, _ why: String,
        at now: MonotonicTime
    ) {
        let job = slots[slot]
        let line = Int(finished.reference.line)
        let attempt = job.attempts(line).addingSaturated(failure.isNew ? 1 : 0)
        guard !failure.isNew || attempt < settings.attempts else {
            return end(
                slot, line, dead: reason, why: lastAttempt(attempt, why), attempt: attempt, finished.result, at: now)
        }
        let wait = settings.ladder.wait(after: attempt, random: randomPart())
        let group = HeldJob.Group(
            wait: rounded(wait), attempt: attempt, reason: reason, why: why, isEvent: failure.isNew)
        end(slot, line, in: group)
    }
}
