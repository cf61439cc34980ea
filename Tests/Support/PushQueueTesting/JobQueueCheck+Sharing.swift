import PushQueue

extension JobQueueCheck {
    static let sharing: [JobQueueCheck] = [
        JobQueueCheck("workers share the tokens of a limit") { test in
            func take(_ client: any JobQueue, _ bucket: String, _ wanted: Int) async throws -> RateGrant {
                try await client.take([RateDemand(bucket: bucket, perSecond: 10, wanted: wanted)])[0]
            }
            let clock = ContinuousClock()
            let start = clock.now
            let first = try await take(test.queue, "acme", 6)
            try require(first, is: RateGrant(granted: 6, wait: .zero), "the first grant")
            let second = try await take(test.other, "acme", 100)
            // An engine with a clock of its own gains tokens while this runs.
            let gained = Int((clock.now - start) / .milliseconds(100)) + 1
            try require(
                (4...4 + gained).contains(second.granted),
                "the second grant has \(second.granted) tokens, and 4 were left")
            try require(
                second.wait > .zero && second.wait <= .seconds(2), "the time to ask again is \(second.wait)")
            let other = try await take(test.other, "", 10)
            try require(other.granted, is: 10, "the grant of another bucket")
            try await test.pass(.milliseconds(350))
            let third = try await take(test.queue, "acme", 100)
            try require(third.granted >= 2, "after 350 ms there are \(third.granted) tokens, and 3 were gained")
        },
        JobQueueCheck("a wait ends when another client enqueues a job") { test in
            let wait = Task {
                try await test.queue.waitForJobs(in: [.high, .normal], atMost: JobQueueUnderTest.long)
            }
            _ = try await test.other.enqueue(
                [NewJob(JobContent(lane: .high, body: [1]))], options: EnqueueOptions())
            try await wait.value
            try require(try await test.reserve(of: .high).count, is: 1, "the number of jobs")
        },
        JobQueueCheck("a wait ends when nothing comes") { test in
            try await test.queue.waitForJobs(in: [.high, .normal], atMost: .milliseconds(50))
            try require(try await test.reserve().isEmpty, "there is a job")
        },
        JobQueueCheck("a wait ends when its task is cancelled") { test in
            let wait = Task {
                try await test.queue.waitForJobs(in: [.normal], atMost: .seconds(600))
            }
            wait.cancel()
            _ = await wait.result
            try await test.enqueue(1)
            try require(try await test.reserve().count, is: 1, "the number of jobs after the wait")
        },
        JobQueueCheck("a closed queue refuses calls") { test in
            await test.queue.close()
            do throws(QueueError) {
                _ = try await test.queue.status()
                throw QueueError(.invalidAnswer, "nothing was thrown", isTemporary: false)
            } catch {
                try require(error.code, is: .closed, "the code of the error")
            }
        },
    ]
}
