import PushQueue

extension JobQueueCheck {
    static let settling: [JobQueueCheck] = [
        JobQueueCheck("a settled job is gone") { test in
            try await test.enqueue(3)
            let jobs = try await test.reserve(lease: JobQueueUnderTest.short)
            try require(
                try await test.settle(jobs.map { Settlement($0.id) }), is: [.settled, .settled, .settled],
                "the result")
            try await test.pass(JobQueueUnderTest.short * 2)
            try require(try await test.reserve().isEmpty, "a settled job was delivered again")
            let status = try await test.queue.status()
            try require(status.backlog, is: 0, "the backlog")
            try require(status.pending, is: 0, "the number of pending jobs")
            try require(status.oldest, is: nil, "the age of the oldest job")
        },
        JobQueueCheck("what follows from a settlement is there once") { test in
            try await test.enqueue(1)
            var settlement = Settlement(try await test.reserve()[0].id)
            settlement.feedback = ["{\"token\":\"a\"}", "{\"token\":\"b\"}"]
            let dead = JobContent(lane: .high, tenant: "acme", attempt: 4, body: Array("dead".utf8), context: "c1")
            settlement.dead = [DeadContent(dead, reason: "PayloadTooLarge", why: "it has \"5000\" bytes")]
            let later = JobContent(lane: .bulk, attempt: 2, key: "k", body: Array("later".utf8), context: "c2")
            settlement.later = [
                LaterContent(later, due: .after(JobQueueUnderTest.long), reason: "ServiceUnavailable", why: "503")
            ]
            let again = JobContent(lane: .normal, tenant: "beta", attempt: 1, body: Array("again".utf8))
            settlement.again = [again]
            settlement.results = ["{\"outcome\":\"accepted\"}"]
            try require(try await test.settle([settlement]), is: [.settled], "the result")
            // Once more, as after a lost answer.
            try require(try await test.settle([settlement]), is: [.notPending], "the result of the repetition")

            let lines = try await test.queue.feedback(from: nil, limit: 10).elements.map(\.line)
            try require(lines, is: settlement.feedback, "the feedback")
            let deadJobs = try await test.all(.dead)
            try require(deadJobs.map(\.content), is: [dead], "the dead letter")
            try require(deadJobs.map(\.reason), is: ["PayloadTooLarge"], "the reason of the dead job")
            try require(deadJobs.map(\.why), is: ["it has \"5000\" bytes"], "its sentence")
            let laterJobs = try await test.all(.later)
            try require(laterJobs.map(\.content), is: [later], "the scheduled job")
            try require(laterJobs.map(\.reason), is: ["ServiceUnavailable"], "the reason of the scheduled job")
            let wait = (laterJobs.first?.due ?? 0) - (laterJobs.first?.keptAt ?? 0)
            try require((599_000...601_000).contains(wait), "the job is due after \(wait) ms")
            try require(try await test.reserve().map(\.content), is: [again], "what is ready again")
            let status = try await test.queue.status()
            try require(
                [status.feedback, status.dead, status.later], is: [2, 1, 1], "feedback, dead and later of the status")
        },
        JobQueueCheck("a batch has a result for each settlement, in their order") { test in
            try await test.enqueue(3)
            let jobs = try await test.reserve()
            try require(try await test.settle([Settlement(jobs[1].id)]), is: [.settled], "the first batch")
            var twice = Settlement(jobs[1].id)
            twice.feedback = ["{}"]
            try require(
                try await test.settle([Settlement(jobs[0].id), twice, Settlement(jobs[2].id)]),
                is: [.settled, .notPending, .settled], "the second batch")
            try require(try await test.queue.status().feedback, is: 0, "the feedback of a job that was not pending")
            try require(try await test.settle([]), is: [], "an empty batch")
        },
        JobQueueCheck("who settles first decides, whoever holds the job") { test in
            try await test.enqueue(1)
            let first = try await test.reserve(lease: JobQueueUnderTest.short)
            try await test.pass(JobQueueUnderTest.short * 2)
            let second = try await test.reserve(lease: JobQueueUnderTest.short, as: JobQueueUnderTest.b)
            try require(second.count, is: 1, "the number of jobs that were taken over")
            var late = Settlement(first[0].id)
            late.feedback = ["first"]
            var other = Settlement(second[0].id)
            other.feedback = ["second"]
            try require(try await test.settle([late]), is: [.settled], "the settlement of the first worker")
            try require(
                try await test.other.settle([other], resultsKept: 1000), is: [.notPending],
                "the settlement of the second worker")
            let lines = try await test.queue.feedback(from: nil, limit: 10).elements.map(\.line)
            try require(lines, is: ["first"], "the feedback")
        },
        JobQueueCheck("a job that was never reserved cannot be settled") { test in
            try await test.enqueue(2)
            let job = try await test.reserve(1)[0]
            let unknown = Settlement(JobID(stream: job.id.stream, entry: "999999999"))
            try require(try await test.settle([unknown]), is: [.notPending], "the result")
            try require(try await test.reserve().count, is: 1, "the number of jobs that are left")
        },
    ]
}
