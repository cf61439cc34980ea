import Doctor
import PushQueue

extension QueueBacklog {
    /// What a queue says about what waits in it. Closes the queue.
    static func observation(of queue: some JobQueue) async -> Observation<QueueBacklog> {
        let result: Observation<QueueBacklog>
        do throws(QueueError) {
            let status = try await queue.status()
            result = .seen(
                QueueBacklog(
                    backlog: status.backlog, pending: status.pending, dead: status.dead,
                    oldest: status.oldest?.components.seconds, problems: status.foreign,
                    unreadLanes: status.unreadLanes))
        } catch {
            let isProblem = [.missing, .foreignData, .notAllowed].contains(error.code)
            result =
                isProblem
                ? .seen(QueueBacklog(backlog: 0, pending: 0, dead: 0, oldest: nil, problems: [error.detail]))
                : .unseen("the queue did not say it: \(error.detail)")
        }
        await queue.close()
        return result
    }
}
