package import PushQueue
internal import RedisClient

extension RedisQueue {
    package func settle(
        _ settlements: [Settlement], resultsKept: Int
    ) async throws(QueueError) -> [SettlementResult] {
        guard !settlements.isEmpty else { return [] }
        let attempt = "settling jobs"
        var arguments = arguments
        arguments.append(resultsKept)
        // Few streams, and neighbours are mostly of the same one.
        var plain: [(stream: String, indices: [Int])] = []
        var others: [Int] = []
        for index in settlements.indices {
            guard settlements[index].isEmpty else {
                others.append(index)
                continue
            }
            if let known = plain.lastIndex(where: { $0.stream == settlements[index].job.stream }) {
                plain[known].indices.append(index)
            } else {
                plain.append((settlements[index].job.stream, [index]))
            }
        }
        arguments.append(plain.count)
        for (stream, indices) in plain {
            arguments.append(stream)
            arguments.append(indices.count)
            for index in indices { arguments.append(settlements[index].job.entry) }
        }
        arguments.append(others.count)
        for index in others { append(settlements[index], to: &arguments) }
        guard let done = try await run(QueueScripts.settle, arguments, attempt).array, done.count == settlements.count
        else {
            throw RedisQueue.badAnswer(attempt)
        }
        var results = [SettlementResult](repeating: .notPending, count: settlements.count)
        for (index, answer) in zip(others + plain.flatMap(\.indices), done) where answer.integer == 1 {
            results[index] = .settled
        }
        return results
    }

    private func append(_ settlement: Settlement, to arguments: inout ScriptArguments) {
        arguments.append(settlement.job.stream)
        arguments.append(settlement.job.entry)
        arguments.append(
            settlement.feedback.count + settlement.dead.count + settlement.later.count + settlement.again.count
                + settlement.results.count)
        for line in settlement.feedback {
            add("add", "\(address.prefix):feedback", EntryFields(line: line), &arguments)
        }
        for dead in settlement.dead {
            let fields = EntryFields(dead.content, reason: dead.reason, why: dead.why)
            add("add", "\(address.prefix):dead", fields, &arguments)
        }
        for later in settlement.later {
            arguments.append("later")
            arguments.append(later.due)
            arguments.append(EntryFields(later.content, reason: later.reason, why: later.why))
        }
        for content in settlement.again { add("add", nextKey(content.lane), EntryFields(content), &arguments) }
        for line in settlement.results {
            add("result", "\(address.prefix):results", EntryFields(line: line), &arguments)
        }
    }

    private func add(_ kind: String, _ key: String, _ fields: EntryFields, _ arguments: inout ScriptArguments) {
        arguments.append(kind)
        arguments.append(key)
        arguments.append(fields)
    }

    // MARK: Producers

    package func enqueue(_ jobs: [NewJob], options: EnqueueOptions) async throws(QueueError) -> EnqueueResult {
        guard !jobs.isEmpty else { return EnqueueResult(added: 0, duplicates: 0) }
        let attempt = "enqueuing jobs"
        let lanes = Set(jobs.map(\.content.lane)).sorted()
        var arguments = arguments
        arguments.append(options.maximumBacklog.map(String.init) ?? "")
        arguments.append(max(options.keysKept.wholeMilliseconds, 1))
        arguments.append(lanes.count)
        for lane in lanes { arguments.append(counted: address.keys(lane)) }
        arguments.append(jobs.count)
        for job in jobs {
            arguments.append(nextKey(job.content.lane))
            arguments.append(lanes.firstIndex(of: job.content.lane)! + 1)
            arguments.append(job.due == nil ? "0" : "1")
            if let due = job.due { arguments.append(due) }
            arguments.append(job.lines.isEmpty ? job.content.key ?? "" : "")
            arguments.append(job.lines.count)
            for line in job.lines {
                arguments.append("\(line.batch):\(line.number / RedisQueue.linesInHash)")
                arguments.append(line.number)
                arguments.append(line.digest)
            }
            arguments.append(
                job.due == nil
                    ? EntryFields(job.content) : EntryFields(job.content, reason: "scheduled", why: ""))
        }
        let replies = try await run(QueueScripts.enqueue, arguments, followedBy: replicaCheck, attempt)
        guard let answer = replies[0].array else { throw RedisQueue.badAnswer(attempt) }
        if answer.first?.integer == -2 {
            // An earlier call added them, and its replicas may not have answered.
            try checkReplicas(replies, attempt)
            return EnqueueResult(added: 0, duplicates: 0, known: try RedisQueue.known(answer, jobs, attempt))
        }
        let counts = answer.compactMap(\.integer)
        if counts.count == 3, lanes.indices.contains(Int(counts[1]) - 1) {
            throw QueueError(
                .backlogFull,
                "the lane \(lanes[Int(counts[1]) - 1]) has \(counts[2]) jobs that wait, and \(options.maximumBacklog ?? 0) are "
                    + "the most", isTemporary: true)
        }
        guard counts.count == 2 else { throw RedisQueue.badAnswer(attempt) }
        try checkReplicas(replies, attempt)
        return EnqueueResult(added: Int(counts[0]), duplicates: Int(counts[1]))
    }

    /// The digests of so many lines of a batch are in one hash: few enough for Redis to store it as a list, which is small.
    private static let linesInHash = 256

    /// The lines of jobs that the server knows: after the first element the number of the job, that of its line, the digest.
    private static func known(
        _ answer: [RedisValue], _ jobs: [NewJob], _ attempt: String
    ) throws(QueueError) -> [KnownLine] {
        var lines: [KnownLine] = []
        for index in stride(from: 1, to: answer.count - 2, by: 3) {
            guard let job = answer[index].integer, let number = answer[index + 1].integer,
                let digest = answer[index + 2].string, jobs.indices.contains(Int(job) - 1),
                jobs[Int(job) - 1].lines.indices.contains(Int(number) - 1)
            else { throw badAnswer(attempt) }
            var line = jobs[Int(job) - 1].lines[Int(number) - 1]
            line.digest = digest
            lines.append(line)
        }
        return lines
    }

    /// What follows the script that adds jobs. On another connection it would ask the next master after a failover, which may not
    /// have them.
    ///
    /// WAIT counts the replicas that have everything up to the last write of its connection. So a write goes before it: where the
    /// script adds nothing, another connection has added the jobs. Also where the lane is full, the answer waits for it.
    private var replicaCheck: [RedisCommand] {
        guard address.replicas > 0 else { return [] }
        return [
            RedisCommand("SET", "\(address.prefix):wait", "1", "PX", "60000"),
            RedisCommand("WAIT", "\(address.replicas)", "5000"),
        ]
    }

    /// - Parameter replies: To the script, and to what followed it.
    private func checkReplicas(_ replies: [RedisValue], _ attempt: String) throws(QueueError) {
        for case .failure(let failure) in replies {
            var error = QueueError(failure, attempt)
            error.mayBeDone = true
            throw error
        }
        guard address.replicas > 0 else { return }
        let found = replies.last?.integer ?? 0
        guard found >= address.replicas else {
            throw QueueError(
                .notReady,
                "\(attempt): the jobs are written, and \(found) of \(address.replicas) replicas have them; a failover now may lose "
                    + "them", isTemporary: true, mayBeDone: true)
        }
    }

    package func promote(limit: Int) async throws(QueueError) -> Int {
        let attempt = "moving scheduled jobs"
        var arguments = arguments
        arguments.append(limit)
        arguments.append(address.shards)
        guard let counts = try await run(QueueScripts.promote, arguments, attempt).array?.compactMap(\.integer),
            counts.count == 2
        else { throw RedisQueue.badAnswer(attempt) }
        if counts[1] > 0 {
            warn("scheduled jobs cannot be moved: a stranger removed them, or uses the key of their stream")
        }
        return Int(counts[0])
    }

    package func take(_ demands: [RateDemand]) async throws(QueueError) -> [RateGrant] {
        guard !demands.isEmpty else { return [] }
        let attempt = "taking tokens of a limit"
        var arguments = arguments
        arguments.append(demands.count)
        for demand in demands {
            arguments.append(demand.bucket)
            arguments.append(demand.perSecond)
            arguments.append(demand.wanted)
        }
        guard let values = try await run(QueueScripts.take, arguments, attempt).array?.compactMap(\.integer),
            values.count == 2 * demands.count
        else { throw RedisQueue.badAnswer(attempt) }
        return demands.indices.map {
            RateGrant(granted: Int(values[2 * $0]), wait: .milliseconds(values[2 * $0 + 1]))
        }
    }
}
