package import PushQueue

/// Enqueues jobs and settles them, while the engine is killed now and then.
///
/// Each job has a key and leaves a line of feedback, so an engine that keeps what it has confirmed ends with one line for each
/// job: none is lost, and none has two ends.
package struct LossCheck: Sendable {
    package var jobs: Int
    /// How often the engine is killed.
    package var kills: Int
    /// Kills the engine and starts it again.
    package var kill: @Sendable () async throws -> Void

    package init(jobs: Int, kills: Int, kill: @escaping @Sendable () async throws -> Void) {
        self.jobs = jobs
        self.kills = kills
        self.kill = kill
    }

    /// - Parameters:
    ///   - producer: A client of the queue.
    ///   - worker: Another one.
    package func run(producer: any JobQueue, worker: any JobQueue) async throws {
        let name = ConsumerName("worker")!
        async let enqueued: Void = enqueue(producer)
        var done = 0
        var killed = 0
        while done < jobs {
            do throws(QueueError) {
                let held = try await worker.reserve([LaneDemand(.normal, jobs: 7)], lease: .seconds(600), as: name).jobs
                let settlements = held.map { job in
                    var settlement = Settlement(job.id)
                    settlement.feedback = [job.content.text]
                    return settlement
                }
                _ = try await worker.settle(settlements, resultsKept: 0)
                done = try await worker.status().feedback
            } catch {
                guard error.isTemporary else { throw error }
                // What the lost answer reserved, and what could not be settled, comes again.
                do throws(QueueError) {
                    _ = try await worker.reclaim(except: [], as: name)
                } catch {
                    guard error.isTemporary else { throw error }
                }
            }
            if killed != kills, (killed + 1) * jobs / (kills + 1) < done {
                killed += 1
                try await kill()
            }
        }
        try await enqueued
        try require(killed, is: kills, "the number of kills")
        let lines = try await worker.feedback(from: nil, limit: jobs * 2).elements.map(\.line)
        try require(Set(lines), is: Set((0..<jobs).map { "job \($0)" }), "the set of the jobs that ended")
        try require(lines.count, is: jobs, "the number of ends")
        let status = try await worker.status()
        try require([status.backlog, status.pending], is: [0, 0], "what is left")
    }

    private func enqueue(_ queue: any JobQueue) async throws {
        var next = 0
        while next < jobs {
            let part = (next..<min(next + 5, jobs)).map {
                NewJob(JobContent(lane: .normal, key: "key \($0)", body: Array("job \($0)".utf8)))
            }
            do throws(QueueError) {
                _ = try await queue.enqueue(part, options: EnqueueOptions())
                next += part.count
            } catch {
                // Where the engine could not be started again, nothing waits for these jobs.
                guard error.isTemporary, !Task.isCancelled else { throw error }
            }
        }
    }
}
