import PushQueue

extension JobQueueCheck {
    static let leases: [JobQueueCheck] = [
        JobQueueCheck("a job is delivered again when its lease is over, and the delivery is counted") { test in
            try await test.enqueue(2)
            _ = try await test.reserve(1, lease: JobQueueUnderTest.short)
            try await test.pass(JobQueueUnderTest.short * 2)
            let jobs = try await test.reserve(lease: JobQueueUnderTest.short, as: JobQueueUnderTest.b)
            try require(jobs.map(\.content.text).sorted(), is: ["job 0", "job 1"], "the jobs")
            try require(
                jobs.sorted { $0.content.text < $1.content.text }.map(\.deliveries), is: [2, 1],
                "the numbers of deliveries")
        },
        JobQueueCheck("a lease that was extended is not over") { test in
            try await test.enqueue(1)
            let jobs = try await test.reserve(lease: JobQueueUnderTest.short)
            let lost = try await test.queue.extend(
                jobs.map(\.id), lease: JobQueueUnderTest.long, as: JobQueueUnderTest.a)
            try require(lost, is: [], "the jobs that are not held")
            try require(
                try await test.reserve(as: JobQueueUnderTest.b).isEmpty, "an extended job was given to another worker")
        },
        JobQueueCheck("extend names the jobs that the worker does not hold any more") { test in
            try await test.enqueue(3)
            let jobs = try await test.reserve(lease: JobQueueUnderTest.short)
            try require(try await test.settle([Settlement(jobs[0].id)]), is: [.settled], "the settlement")
            try await test.pass(JobQueueUnderTest.short * 2)
            let taken = try await test.reserve(1, lease: JobQueueUnderTest.short, as: JobQueueUnderTest.b)
            let lost = try await test.queue.extend(
                jobs.map(\.id), lease: JobQueueUnderTest.long, as: JobQueueUnderTest.a)
            try require(Set(lost), is: Set([jobs[0].id] + taken.map(\.id)), "the jobs that are not held")
            try require(
                try await test.queue.extend([], lease: JobQueueUnderTest.long, as: JobQueueUnderTest.a), is: [],
                "the result for no jobs")
        },
        JobQueueCheck("a released job is ready at once, and its delivery is not counted") { test in
            try await test.enqueue(2)
            let jobs = try await test.reserve()
            try await test.queue.release(jobs.map(\.id), as: JobQueueUnderTest.a)
            let again = try await test.reserve(as: JobQueueUnderTest.b)
            try require(again.map(\.id), is: jobs.map(\.id), "the jobs")
            try require(again.map(\.deliveries), is: [1, 1], "the numbers of deliveries")
            try require(
                try await test.settle(again.map { Settlement($0.id) }), is: [.settled, .settled], "the result")
        },
        JobQueueCheck("a job that was given back counts as one that nobody has reserved") { test in
            try await test.enqueue(5)
            let released = try await test.reserve(2)
            _ = try await test.reserve(1, as: JobQueueUnderTest.b)
            try await test.queue.release(released.map(\.id), as: JobQueueUnderTest.a)
            var status = try await test.queue.status()
            try require([status.backlog, status.pending], is: [4, 1], "backlog and pending jobs after the release")
            let pending = status.consumers.filter { $0.pending > 0 }
            try require(pending.map(\.name), is: [JobQueueUnderTest.b], "the workers with jobs")
            do throws(QueueError) {
                _ = try await test.queue.enqueue(
                    [NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions(maximumBacklog: 4))
                throw QueueError(.invalidAnswer, "nothing was thrown", isTemporary: false)
            } catch {
                try require(error.code, is: .backlogFull, "the code of the error")
            }
            // The name goes, and its jobs stay.
            try require(try await test.queue.remove(JobQueueUnderTest.a), is: true, "the removal of the name")
            _ = try await test.queue.reclaim(except: [], as: JobQueueUnderTest.b)
            status = try await test.other.status()
            try require([status.backlog, status.pending], is: [5, 0], "backlog and pending jobs after the reclaim")
            let jobs = try await test.reserve()
            try require(jobs.count, is: 5, "the number of jobs")
            try require(try await test.queue.status().pending, is: 5, "the number of reserved jobs")
            let results = try await test.settle(jobs.map { Settlement($0.id) })
            try require(results, is: jobs.map { _ in .settled }, "the settlements")
            try require(try await test.queue.status().backlog, is: 0, "the backlog at the end")
        },
        JobQueueCheck("only who holds a job can release it") { test in
            try await test.enqueue(1)
            let jobs = try await test.reserve()
            try await test.queue.release(jobs.map(\.id), as: JobQueueUnderTest.b)
            try require(
                try await test.reserve(as: JobQueueUnderTest.b).isEmpty, "a job was released by who does not hold it")
        },
        JobQueueCheck("reclaim makes ready what an earlier process of this name held, and counts the delivery") {
            test in
            try await test.enqueue(4)
            let held = try await test.reserve(1)
            let lost = try await test.reserve(2)
            let other = try await test.reserve(1, as: JobQueueUnderTest.b)
            let count = try await test.queue.reclaim(except: Set(held.map(\.id)), as: JobQueueUnderTest.a)
            try require(count, is: 2, "the number of jobs that were reclaimed")
            let again = try await test.reserve()
            try require(Set(again.map(\.id)), is: Set(lost.map(\.id)), "the jobs")
            try require(again.map(\.deliveries), is: [2, 2], "the numbers of deliveries")
            try require(
                try await test.settle((held + other).map { Settlement($0.id) }), is: [.settled, .settled],
                "the settlements of the others")
        },
        JobQueueCheck("the name of a worker goes only when nothing is pending for it") { test in
            try await test.enqueue(1)
            let jobs = try await test.reserve(lease: JobQueueUnderTest.short)
            try require(try await test.queue.remove(JobQueueUnderTest.a), is: false, "the removal with a pending job")
            let consumers = try await test.queue.status().consumers
            try require(consumers.map(\.name), is: [JobQueueUnderTest.a], "the workers")
            try require(consumers.map(\.pending), is: [1], "their pending jobs")
            try require(try await test.settle(jobs.map { Settlement($0.id) }), is: [.settled], "the settlement")
            try require(try await test.queue.remove(JobQueueUnderTest.a), is: true, "the removal")
            try require(try await test.queue.status().consumers, is: [], "the workers after the removal")
            try require(try await test.queue.remove(JobQueueUnderTest.b), is: true, "the removal of an unknown name")
        },
    ]
}
