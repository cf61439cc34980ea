import PushQueue

extension JobQueueCheck {
    static let enqueuing: [JobQueueCheck] = [
        JobQueueCheck("a key is taken once") { test in
            func job(_ key: String?, _ text: String) -> NewJob {
                NewJob(JobContent(lane: .normal, key: key, body: Array(text.utf8)))
            }
            let options = EnqueueOptions()
            let first = try await test.queue.enqueue(
                [job("a", "1"), job("b", "2"), job("a", "3"), job(nil, "4"), job(nil, "4")], options: options)
            try require(first, is: EnqueueResult(added: 4, duplicates: 1), "the first result")
            let jobs = try await test.reserve()
            _ = try await test.settle(jobs.map { Settlement($0.id) })
            let second = try await test.other.enqueue([job("b", "5"), job("c", "6")], options: options)
            try require(second, is: EnqueueResult(added: 1, duplicates: 1), "the second result")
            let all = jobs + (try await test.reserve())
            try require(all.map(\.content.text), is: ["1", "2", "4", "4", "6"], "the jobs")
        },
        JobQueueCheck("a key is forgotten after its time") { test in
            let options = EnqueueOptions(keysKept: .milliseconds(50))
            let job = NewJob(JobContent(lane: .normal, key: "a", body: [1]))
            _ = try await test.queue.enqueue([job], options: options)
            try await test.pass(.milliseconds(120))
            try require(
                try await test.queue.enqueue([job], options: options), is: EnqueueResult(added: 1, duplicates: 0),
                "the result after the time")
        },
        JobQueueCheck("a line of a batch is taken once, however the lines are divided into jobs") { test in
            func job(_ numbers: ClosedRange<Int>, _ digest: String = "x") -> NewJob {
                let lines = numbers.map { KnownLine(batch: "campaign 7", number: $0, digest: digest) }
                let text = numbers.map(String.init).joined(separator: "\n")
                return NewJob(JobContent(lane: .normal, key: "same", body: Array(text.utf8)), lines: lines)
            }
            let options = EnqueueOptions(maximumBacklog: 3)
            let first = try await test.queue.enqueue([job(1...2), job(4...600)], options: options)
            try require(first, is: EnqueueResult(added: 2, duplicates: 0), "the first result")
            // With known lines nothing is added, and the result says what is there. That comes before a full lane.
            let second = try await test.other.enqueue([job(2...3, "y"), job(601...601)], options: options)
            let known = [KnownLine(batch: "campaign 7", number: 2, digest: "x")]
            try require(second, is: EnqueueResult(added: 0, duplicates: 0, known: known), "the second result")
            let third = try await test.other.enqueue([job(3...3)], options: options)
            try require(third, is: EnqueueResult(added: 1, duplicates: 0), "the third result")
            var other = job(1...1)
            other.lines[0].batch = "campaign 8"
            let fourth = try await test.queue.enqueue([other], options: EnqueueOptions())
            try require(fourth, is: EnqueueResult(added: 1, duplicates: 0), "the result of another batch")
            let texts = try await test.reserve().map(\.content.text)
            let wanted = ["1\n2", (4...600).map(String.init).joined(separator: "\n"), "3", "1"]
            try require(Set(texts), is: Set(wanted), "the jobs")
            try require(texts.count, is: 4, "the number of jobs")
        },
        JobQueueCheck("two producers of a batch at the same moment add each line once") { test in
            let added = try await withThrowingTaskGroup(of: Int.self) { group in
                for client in [test.queue, test.other] {
                    group.addTask {
                        var sum = 0
                        for number in 1...50 {
                            let line = KnownLine(batch: "b", number: number, digest: "x")
                            let content = JobContent(lane: .normal, body: Array("\(number)".utf8))
                            let jobs = [NewJob(content, lines: [line])]
                            sum += try await client.enqueue(jobs, options: EnqueueOptions()).added
                        }
                        return sum
                    }
                }
                return try await group.reduce(0, +)
            }
            try require(added, is: 50, "the number of jobs that were added")
            let texts = try await test.reserve(100).map(\.content.text)
            try require(texts.count, is: 50, "the number of jobs")
            try require(Set(texts).count, is: 50, "the number of different jobs")
        },
        JobQueueCheck("a line of a batch is forgotten after its time") { test in
            let options = EnqueueOptions(keysKept: .milliseconds(50))
            let line = KnownLine(batch: "b", number: 1, digest: "x")
            let job = NewJob(JobContent(lane: .normal, body: [1]), lines: [line])
            _ = try await test.queue.enqueue([job], options: options)
            try await test.pass(.milliseconds(120))
            try require(
                try await test.queue.enqueue([job], options: options), is: EnqueueResult(added: 1, duplicates: 0),
                "the result after the time")
        },
        JobQueueCheck("the status names a lane with jobs that no worker reads") { test in
            try await test.enqueue(9)
            try await test.enqueue(9, in: .bulk)
            _ = try await test.reserve(1)
            let lanes = try await test.other.status().lanes
            try require(lanes.filter(\.isUnread).map(\.name), is: [.bulk], "the lanes that no worker reads")
            _ = try await test.reserve(1, of: .bulk)
            try require(try await test.other.status().unreadLanes, is: [], "the sentences when all are read")
        },
        JobQueueCheck("a lane that a worker announces is read, and nothing of it is reserved") { test in
            try await test.enqueue(2)
            try await test.enqueue(2, in: .bulk)
            try await test.queue.announce([.normal, .bulk], as: JobQueueUnderTest.a)
            let status = try await test.other.status()
            try require(status.unreadLanes, is: [], "the sentences")
            try require(status.consumers.map(\.name), is: [JobQueueUnderTest.a], "the workers")
            try require(status.backlog, is: 4, "the backlog")
            try require(status.pending, is: 0, "the number of reserved jobs")
            try require(try await test.queue.remove(JobQueueUnderTest.a), is: true, "whether its name is gone")
        },
        JobQueueCheck("a full lane takes nothing, and loses nothing") { test in
            try await test.enqueue(4)
            let jobs = (0..<3).map { NewJob(JobContent(lane: .normal, key: "k\($0)", body: [UInt8($0)])) }
            do throws(QueueError) {
                _ = try await test.queue.enqueue(jobs, options: EnqueueOptions(maximumBacklog: 6))
                throw QueueError(.invalidAnswer, "nothing was thrown", isTemporary: false)
            } catch {
                try require(error.code, is: .backlogFull, "the code of the error")
                try require(error.isTemporary, is: true, "whether it is temporary")
            }
            try require(try await test.queue.status().backlog, is: 4, "the backlog after the refusal")
            // What is reserved does not count, other lanes do not, and the keys of the refused call are free.
            _ = try await test.reserve(2)
            let second = try await test.queue.enqueue(
                Array(jobs.prefix(2)) + [NewJob(JobContent(lane: .bulk, body: [9]))],
                options: EnqueueOptions(maximumBacklog: 4))
            try require(second, is: EnqueueResult(added: 3, duplicates: 0), "the result with room")
        },
        JobQueueCheck("a scheduled job is not ready before it is due") { test in
            let content = JobContent(lane: .high, tenant: "acme", attempt: 2, body: Array("x".utf8), context: "c")
            _ = try await test.queue.enqueue(
                [
                    NewJob(content, due: .after(.milliseconds(50))),
                    NewJob(JobContent(lane: .high, body: [2]), due: .after(JobQueueUnderTest.long)),
                ], options: EnqueueOptions())
            try require(try await test.reserve(of: .high).isEmpty, "a scheduled job is ready")
            try await test.pass(.milliseconds(120))
            try require(try await test.queue.promote(limit: 10), is: 1, "the number of jobs that were moved")
            try require(try await test.queue.promote(limit: 10), is: 0, "the number of jobs that were moved twice")
            let jobs = try await test.reserve(of: .high)
            try require(jobs.map(\.content), is: [content], "the job")
            try require(jobs.map(\.deliveries), is: [1], "its deliveries")
            try require(try await test.queue.status().later, is: 1, "the number of scheduled jobs that are left")
        },
        JobQueueCheck("a job for a time in the past is due at once") { test in
            _ = try await test.queue.enqueue(
                [NewJob(JobContent(lane: .normal, body: [1]), due: .at(milliseconds: 1_000))],
                options: EnqueueOptions())
            try require(try await test.queue.promote(limit: 10), is: 1, "the number of jobs that were moved")
            try require(try await test.reserve().count, is: 1, "the number of jobs")
        },
        JobQueueCheck("two workers move each scheduled job once") { test in
            let jobs = (0..<200).map {
                NewJob(JobContent(lane: .normal, body: Array("\($0)".utf8)), due: .at(milliseconds: Int64($0)))
            }
            _ = try await test.queue.enqueue(jobs, options: EnqueueOptions())
            let moved = try await withThrowingTaskGroup(of: Int.self) { group in
                for client in [test.queue, test.other] {
                    group.addTask {
                        var sum = 0
                        while true {
                            let count = try await client.promote(limit: 9)
                            try require(count <= 9, "promote moved \(count) jobs, and 9 were the limit")
                            sum += count
                            if count == 0 { return sum }
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try require(moved, is: 200, "the number of moves")
            let texts = try await test.reserve(300).map(\.content.text)
            try require(Set(texts).count, is: 200, "the number of different jobs")
            try require(texts.count, is: 200, "the number of jobs")
        },
    ]
}
