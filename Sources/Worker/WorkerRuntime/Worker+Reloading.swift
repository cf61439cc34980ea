import PushQueue
import WorkerCore

extension Worker {
    private static let jobsInPage = 100

    /// Makes the scheduled jobs ready that wait for the end of a pause, because the credentials of their tenants were
    /// read again. Workers of the same queue may do it at the same time: each job is moved once.
    ///
    /// - Parameters:
    ///   - tenants: Those that were paused.
    ///   - time: By the engine's clock, in milliseconds since 1970. Jobs that were scheduled later stay, because the
    ///     new credentials may be as wrong as the old ones.
    func hurry(_ tenants: Set<String?>, keptBefore time: Int64) async {
        do throws(QueueError) {
            var page: String?
            repeat {
                let part = try await queue.list(.later, from: page, limit: Worker.jobsInPage)
                let ids = part.elements.filter { job in
                    job.keptAt <= time && tenants.contains(job.content.tenant)
                        && OutcomeTable.mayEndWithCredentials(job.reason)
                }
                .map(\.id)
                if !ids.isEmpty {
                    _ = try await queue.retry(.later, ids)
                    reserving.raise()
                }
                page = part.next
            } while page != nil && !isStopping
        } catch {
            guard error.code != .cancelled, error.code != .closed else { return }
            notice(
                .warning(
                    "\(error.detail); what waits for the end of a pause stays until it is due, or until "
                        + "apns worker later retry makes it ready"))
        }
    }
}
