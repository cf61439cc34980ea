import Doctor
import PushQueue

extension QueueBacklog {
    /// What a queue says about what waits in it. Closes the queue.
    ///
    /// - Parameter check: Throws what would keep a worker from the queue, and changes nothing.
    static func observation<Queue: JobQueue>(
        of queue: Queue, checking check: @Sendable (Queue) async throws(QueueError) -> Void
    ) async -> Observation<QueueBacklog> {
        let result: Observation<QueueBacklog>
        var problems: Set<QueueError.Code> = [.missing, .foreignData, .notAllowed]
        do throws(QueueError) {
            // Of the check, such as a server that takes no writes.
            problems.insert(.notReady)
            try await check(queue)
            problems.remove(.notReady)
            let status = try await queue.status()
            result = .seen(
                QueueBacklog(
                    backlog: status.backlog, pending: status.pending, dead: status.dead,
                    oldest: status.oldest?.components.seconds, problems: status.foreign,
                    unreadLanes: status.unreadLanes))
        } catch {
            result =
                problems.contains(error.code)
                ? .seen(QueueBacklog(backlog: 0, pending: 0, dead: 0, oldest: nil, problems: [error.detail]))
                : .unseen("the queue did not say it: \(error.detail)")
        }
        await queue.close()
        return result
    }
}
