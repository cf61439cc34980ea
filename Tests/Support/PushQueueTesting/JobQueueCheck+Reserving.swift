import PushQueue

extension JobQueueCheck {
    static let reserving: [JobQueueCheck] = [
        JobQueueCheck("a job arrives as it was enqueued") { test in
            var body = Array("{\"token\":\"ab12\"}\n{\"token\":\"\u{e9}\"}\n".utf8)
            body += [0x00, 0xFF, 0xFE, 0x22, 0x5C, 0x0D]
            let content = JobContent(
                lane: .normal, tenant: "acme", attempt: 3, key: "order-17", body: body,
                context: "{\"ids\":[\"\u{1F514}\"]}")
            try await test.enqueue([content])
            let reservation = try await test.queue.reserve(
                [LaneDemand(.normal, jobs: 10)], lease: JobQueueUnderTest.long, as: JobQueueUnderTest.a)
            try require(reservation.jobs.count, is: 1, "the number of jobs")
            let job = reservation.jobs[0]
            try require(job.content, is: content, "the job")
            try require(job.deliveries, is: 1, "the number of deliveries")
            try require(job.flaw, is: nil, "the flaw")
            let age = reservation.time - job.enqueuedAt
            try require((0...60_000).contains(age), "the age of the new job is \(age) ms")
        },
        JobQueueCheck("a job of a plain producer has no tenant, key and context") { test in
            try await test.enqueue([JobContent(lane: .bulk, body: Array("{}".utf8))])
            let jobs = try await test.reserve(of: .bulk)
            try require(
                jobs.map(\.content), is: [JobContent(lane: .bulk, body: Array("{}".utf8))], "the reserved content")
        },
        JobQueueCheck("a job of 600 KB arrives whole") { test in
            let body = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await test.enqueue([JobContent(lane: .normal, body: body)])
            try require(try await test.reserve().first?.content.body == body, "the body is another one")
        },
        JobQueueCheck("reserve gives the oldest first, and at most as many as were asked for") { test in
            try await test.enqueue(10)
            let first = try await test.reserve(4)
            let rest = try await test.reserve(100, as: JobQueueUnderTest.b)
            try require(first.map(\.content.text), is: (0..<4).map { "job \($0)" }, "the first part")
            try require(rest.map(\.content.text), is: (4..<10).map { "job \($0)" }, "the rest")
            try require(Set((first + rest).map(\.id)).count, is: 10, "the number of different ids")
            try require(try await test.reserve().isEmpty, "a reserved job was given again")
        },
        JobQueueCheck("a reservation takes from each lane what was asked of it") { test in
            try await test.enqueue(3, in: .high)
            try await test.enqueue(3, in: .normal)
            try await test.enqueue(3, in: .bulk)
            let jobs = try await test.queue.reserve(
                [LaneDemand(.high, jobs: 5), LaneDemand(.normal, jobs: 2)], lease: JobQueueUnderTest.long,
                as: JobQueueUnderTest.a
            ).jobs
            try require(jobs.count { $0.content.lane == .high }, is: 3, "the number of high jobs")
            try require(jobs.count { $0.content.lane == .normal }, is: 2, "the number of normal jobs")
            try require(jobs.count, is: 5, "the number of jobs")
        },
        JobQueueCheck("the id of a job stays the same when it is delivered again") { test in
            try await test.enqueue(1)
            let first = try await test.reserve(lease: JobQueueUnderTest.short)
            try await test.pass(JobQueueUnderTest.short * 2)
            let second = try await test.reserve(lease: JobQueueUnderTest.short, as: JobQueueUnderTest.b)
            try require(second.map(\.id), is: first.map(\.id), "the id")
            try require(second.first?.enqueuedAt, is: first.first?.enqueuedAt, "the time of enqueuing")
        },
        JobQueueCheck("prepare may be called again, and loses nothing") { test in
            try await test.enqueue(2)
            let held = try await test.reserve(1)
            try await test.other.prepare(JobQueueUnderTest.lanes)
            try require(try await test.reserve().count, is: 1, "the number of jobs that are left")
            try require(
                try await test.settle(held.map { Settlement($0.id) }), is: [.settled], "the settlement of a held job")
        },
        JobQueueCheck("each of 400 jobs reaches one of four workers") { test in
            try await test.enqueue(400)
            let texts = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<4 {
                    let client = number.isMultiple(of: 2) ? test.queue : test.other
                    group.addTask {
                        var taken: [String] = []
                        while true {
                            let jobs = try await client.reserve(
                                [LaneDemand(.normal, jobs: 7)], lease: JobQueueUnderTest.long,
                                as: ConsumerName("worker-\(number)")!
                            ).jobs
                            guard !jobs.isEmpty else { return taken }
                            let results = try await client.settle(jobs.map { Settlement($0.id) }, resultsKept: 0)
                            try require(results.allSatisfy { $0 == .settled }, "a held job was not pending")
                            taken += jobs.map(\.content.text)
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { $0 += $1 }
            }
            try require(texts.count, is: 400, "the number of deliveries")
            try require(Set(texts).count, is: 400, "the number of different jobs")
        },
    ]
}

extension JobContent {
    var text: String { String(decoding: body, as: UTF8.self) }
}
