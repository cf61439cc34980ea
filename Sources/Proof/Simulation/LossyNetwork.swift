import PushDispatch

/// The network between an app's process and a service: it loses and delays messages in both directions, and delivers some
/// requests twice.
///
/// A request that is under way arrives whatever becomes of the process, or of the task that waits for its answer.
struct LossyNetwork {
    /// Why there is no answer.
    enum Failure: Error {
        /// The task or the process has ended.
        case stopped
        case offline
        case timeout
    }

    let run: any AppRun
    let clock: ProcessClock
    let isOnline: @Sendable () -> Bool

    /// - Parameter service: The request has arrived.
    func send<Reply>(
        withinMilliseconds limit: Int64, _ service: @escaping () -> Reply
    ) async throws(Failure) -> Reply {
        guard isOnline() else { throw .offline }
        let now = clock.now()
        let deadline = now.advanced(byMilliseconds: limit)
        let (there, back) = (trip(), trip())
        let answer = Answer<Reply>()
        if let milliseconds = there {
            run.timeline.after(milliseconds) { answer.reply = service() }
            if run.injectsFault(run.faults.doubledPercent) {
                run.count(.requestDoubled)
                run.timeline.after(milliseconds + Int64(run.number(below: 60_000))) { _ = service() }
            }
        }
        let arrival = there.flatMap { there in back.map { now.advanced(byMilliseconds: there + $0) } }
        // A connection that breaks is noticed at once, or not before the limit.
        let end = arrival ?? (run.chance(50) ? now.advanced(byMilliseconds: 20) : deadline)
        guard (try? await clock.sleep(until: min(end, deadline))) != nil, clock.isRunning else { throw .stopped }
        guard let arrival, arrival <= deadline else { throw end >= deadline ? .timeout : .offline }
        guard isOnline(), let reply = answer.reply else { throw .offline }
        return reply
    }

    private final class Answer<Reply>: @unchecked Sendable { var reply: Reply? }

    /// The time of one direction; nil if the message is lost.
    private func trip() -> Int64? {
        if run.injectsFault(run.faults.lostPercent) {
            run.count(.messageLost)
            return nil
        }
        if run.injectsFault(run.faults.slowPercent) {
            run.count(.messageLate)
            return Int64(3_000 + run.number(below: 30_000))
        }
        return Int64(5 + run.number(below: 200))
    }
}
