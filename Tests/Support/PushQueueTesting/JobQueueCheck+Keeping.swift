import PushQueue

extension JobQueueCheck {
    static let keeping: [JobQueueCheck] = [
        JobQueueCheck("dead jobs are listed in pages, retried and dropped") { test in
            try await test.enqueue(1)
            var settlement = Settlement(try await test.reserve()[0].id)
            settlement.dead = (0..<7).map {
                DeadContent(
                    JobContent(lane: .bulk, attempt: 5, body: Array("dead \($0)".utf8), context: "c\($0)"),
                    reason: "R\($0)", why: "")
            }
            _ = try await test.settle([settlement])
            var (kept, page) = ([KeptJob](), String?.none)
            repeat {
                let part = try await test.queue.list(.dead, from: page, limit: 3)
                try require(part.elements.count <= 3, "a page has \(part.elements.count) jobs, and 3 were the limit")
                kept += part.elements
                page = part.next
            } while page != nil
            try require(kept.map(\.content.text), is: (0..<7).map { "dead \($0)" }, "the list")
            try require(kept.allSatisfy { $0.due == nil && $0.keptAt > 0 }, "a dead job has a due time, or no time")

            let retried = try await test.queue.retry(.dead, [kept[1].id, kept[4].id, "404", kept[1].id])
            try require(retried, is: 2, "the number of jobs that were retried")
            let jobs = try await test.reserve(of: .bulk)
            try require(Set(jobs.map(\.content.text)), is: ["dead 1", "dead 4"], "the retried jobs")
            try require(jobs.map(\.content.attempt), is: [0, 0], "their attempts")
            try require(Set(jobs.map(\.content.context)), is: ["c1", "c4"], "their contexts")
            try require(try await test.queue.drop(.dead, [kept[0].id, "404"]), is: 1, "the number of dropped jobs")
            try require(
                try await test.all(.dead).map(\.content.text), is: ["dead 2", "dead 3", "dead 5", "dead 6"],
                "what is left")
        },
        JobQueueCheck("scheduled jobs are listed by their due time, retried and dropped") { test in
            let waits: [Int64] = [500, 300, 400]
            let jobs = waits.map {
                NewJob(
                    JobContent(lane: .normal, attempt: 2, body: Array("in \($0)".utf8)), due: .after(.seconds($0)))
            }
            _ = try await test.queue.enqueue(jobs, options: EnqueueOptions())
            let first = try await test.queue.list(.later, from: nil, limit: 2)
            let rest = try await test.queue.list(.later, from: first.next, limit: 2)
            let kept = first.elements + rest.elements
            try require(kept.map(\.content.text), is: ["in 300", "in 400", "in 500"], "the list")
            try require(rest.next, is: nil, "what comes after the last page")
            try require(try await test.queue.retry(.later, [kept[2].id]), is: 1, "the number of retried jobs")
            let ready = try await test.reserve()
            try require(ready.map(\.content.text), is: ["in 500"], "the retried job")
            try require(ready.map(\.content.attempt), is: [2], "its attempt")
            try require(try await test.queue.drop(.later, [kept[0].id]), is: 1, "the number of dropped jobs")
            try require(try await test.all(.later).map(\.content.text), is: ["in 400"], "what is left")
        },
        JobQueueCheck("feedback is read in pages and dropped when it was read") { test in
            try await test.enqueue(1)
            var settlement = Settlement(try await test.reserve()[0].id)
            settlement.feedback = (0..<5).map { "{\"token\":\"\($0)\"}" }
            _ = try await test.settle([settlement])
            let first = try await test.queue.feedback(from: nil, limit: 3)
            try require(first.elements.map(\.line), is: Array(settlement.feedback[..<3]), "the first page")
            try require(
                try await test.queue.dropFeedback(first.elements.map(\.id) + ["404"]), is: 3,
                "the number of dropped lines")
            let rest = try await test.queue.feedback(from: first.next, limit: 3)
            try require(rest.elements.map(\.line), is: Array(settlement.feedback[3...]), "the second page")
            try require(rest.next, is: nil, "what comes after the last page")
            try require(
                try await test.queue.feedback(from: nil, limit: 10).elements.map(\.line),
                is: Array(settlement.feedback[3...]), "what is left")
        },
        JobQueueCheck("the status counts each lane") { test in
            try await test.enqueue(5, in: .normal)
            try await test.enqueue(2, in: .high)
            _ = try await test.reserve(3)
            let status = try await test.queue.status()
            func lane(_ name: LaneName) -> QueueStatus.Lane? { status.lanes.first { $0.name == name } }
            try require(lane(.normal)?.backlog, is: 2, "the backlog of normal")
            try require(lane(.normal)?.pending, is: 3, "the pending jobs of normal")
            try require(lane(.high)?.backlog, is: 2, "the backlog of high")
            try require(lane(.bulk)?.backlog ?? 0, is: 0, "the backlog of bulk")
            try require(lane(.high)?.oldest != nil, "high has jobs and no age")
            try require(lane(.bulk)?.oldest == nil, "bulk has no jobs, but an age")
            try require(!status.engine.isEmpty, "the engine has no name")
        },
        JobQueueCheck("a scheduled job that is due has an age from then on") { test in
            let waits: [(LaneName, DueTime)] = [
                (.normal, .after(JobQueueUnderTest.long)), (.bulk, .after(.milliseconds(20))),
            ]
            let jobs = waits.map { NewJob(JobContent(lane: $0.0, body: [1]), due: $0.1) }
            _ = try await test.queue.enqueue(jobs, options: EnqueueOptions())
            try await test.pass(.milliseconds(120))
            let status = try await test.queue.status()
            let bulk = status.lanes.first { $0.name == .bulk }?.oldest ?? .zero
            try require(bulk >= .milliseconds(50) && bulk < .seconds(60), "the age of bulk is \(bulk)")
            try require(status.lanes.first { $0.name == .normal }?.oldest, is: nil, "the age of normal")
            // One for a time long ago waits since it was scheduled.
            _ = try await test.queue.enqueue(
                [NewJob(JobContent(lane: .high, body: [1]), due: .at(milliseconds: 1_000))], options: EnqueueOptions())
            let high = try await test.queue.status().lanes.first { $0.name == .high }?.oldest ?? JobQueueUnderTest.long
            try require(high < .seconds(60), "the age of high is \(high)")
            while try await test.queue.promote(limit: 10) > 0 {}
            try require(try await test.queue.status().backlog, is: 2, "the backlog after the move")
        },
    ]
}
