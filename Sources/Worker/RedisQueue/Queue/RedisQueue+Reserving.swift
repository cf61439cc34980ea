package import PushQueue
internal import RedisClient

extension RedisQueue {
    package func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> Reservation {
        guard carefulReservations > 0 else { return try await reserve(all: demands, lease, consumer) }
        carefulReservations -= 1
        // A single job of one lane, and each time of another one, so that what is too large in one lane does not stop the
        // others.
        var reservation = Reservation(jobs: [], time: 0)
        for _ in demands where reservation.jobs.isEmpty {
            carefulTurn += 1
            let lane = demands[carefulTurn % demands.count].lane
            reservation = try await reserve(all: [LaneDemand(lane, jobs: 1)], lease, consumer)
        }
        return reservation
    }

    private func reserve(
        all demands: [LaneDemand], _ lease: Duration, _ consumer: ConsumerName
    ) async throws(QueueError) -> Reservation {
        var hasClaimed = false
        do throws(QueueError) {
            return try await take(demands, lease, consumer, "reserving jobs", &hasClaimed)
        } catch {
            // The entries of the reply are pending; `reclaim` gives them back, and then they come one by one.
            if error.code == .tooLarge { carefulReservations = 256 }
            var error = error
            if hasClaimed { error.mayBeDone = true }
            throw error
        }
    }

    /// - Parameter hasClaimed: Set as soon as the server may have given a job.
    private func take(
        _ demands: [LaneDemand], _ lease: Duration, _ consumer: ConsumerName, _ attempt: String,
        _ hasClaimed: inout Bool
    ) async throws(QueueError) -> Reservation {
        let unprepared = demands.map(\.lane).filter { !lanes.contains($0) }
        if !unprepared.isEmpty { try await prepare(unprepared) }
        if !unmade.isEmpty { try await makeGroups(demands.map(\.lane), attempt) }

        // First the jobs whose lease is over. Each XAUTOCLAIM looks at a bounded number of pending entries and goes on
        // where it ended.
        var commands: [RedisCommand] = []
        var places: [(demand: Int, key: String)] = []
        for (index, demand) in demands.enumerated() {
            for key in firstKeys(demand.lane, atMost: demand.jobs) {
                var command = RedisCommand("XAUTOCLAIM", key, QueueScripts.group, consumer.text)
                command.append(lease.wholeMilliseconds)
                command.append(cursors[key] ?? "0-0")
                command.append("COUNT")
                command.append(min(max(demand.jobs / address.shards, 1), RedisQueue.jobsInReply))
                commands.append(command)
                places.append((index, key))
            }
        }
        let claims = try await sendPreparing(commands + [RedisCommand("TIME")], demands, attempt)
        hasClaimed = true
        let time = try RedisQueue.time(claims[claims.count - 1], attempt)
        var jobs: [Job] = []
        var missing = demands.map(\.jobs)
        var counts: [(job: Int, command: RedisCommand)] = []
        var extra: [JobID] = []
        for ((demand, key), reply) in zip(places, claims) {
            guard let parts = try RedisQueue.value(reply, of: key, "stream", attempt).array, parts.count >= 2,
                let next = parts[0].string, let entries = parts[1].array
            else { throw RedisQueue.badAnswer(attempt) }
            cursors[key] = next
            if parts.count > 2, let removed = parts[2].array, !removed.isEmpty { warnOfRemoved(key) }
            for entry in entries.compactMap(JobEntry.init) {
                let job = job(entry, key, demands[demand].lane)
                guard missing[demand] > 0 else {
                    extra.append(job.id)
                    continue
                }
                missing[demand] -= 1
                var pending = RedisCommand("XPENDING", key, QueueScripts.group, entry.id, entry.id, "1")
                pending.append(consumer.text)
                counts.append((jobs.count, pending))
                jobs.append(job)
            }
        }

        // Then the oldest jobs that were never delivered, and for the jobs above how often they were.
        var reads: [(demand: Int, key: String, count: Int)] = []
        for (index, demand) in demands.enumerated() where missing[index] > 0 {
            let keys = firstKeys(demand.lane, atMost: missing[index])
            for key in keys {
                var rest = missing[index] / keys.count
                while rest > 0 {
                    reads.append((index, key, min(rest, RedisQueue.jobsInReply)))
                    rest -= RedisQueue.jobsInReply
                }
            }
        }
        let requests = reads.map { RedisQueue.read($0.key, $0.count, consumer) } + counts.map(\.command)
        let replies = try await sendPreparing(requests, demands, attempt)
        var full: Set<String> = []
        for (read, reply) in zip(reads, replies) {
            let entries = try RedisQueue.entries(reply, of: read.key, attempt)
            jobs += entries.map { job($0, read.key, demands[read.demand].lane) }
            missing[read.demand] -= entries.count
            if entries.count == read.count { full.insert(read.key) }
        }
        for ((job, _), reply) in zip(counts, replies.dropFirst(reads.count)) {
            jobs[job] = jobs[job].delivered(Int(reply.array?.first?.array?.last?.integer ?? 2))
        }
        // Of several streams, those that may have more make up for those that had too few.
        let asked = Set(reads.map(\.key))
        for (index, demand) in demands.enumerated() where address.shards > 1 {
            for key in address.keys(demand.lane)
            where missing[index] > 0 && (full.contains(key) || !asked.contains(key)) && !unmade.contains(key) {
                let reply = try await send([RedisQueue.read(key, missing[index], consumer)], attempt)[0]
                let entries = try RedisQueue.entries(reply, of: key, attempt)
                jobs += entries.map { job($0, key, demand.lane) }
                missing[index] -= entries.count
            }
        }
        if !extra.isEmpty { try await release(extra, as: consumer) }
        return Reservation(jobs: jobs, time: time)
    }

    /// So many of the largest jobs from a producer, with 100 envelopes of 4 KB, are a reply that the client takes.
    private static let jobsInReply = 128

    private static func read(_ key: String, _ count: Int, _ consumer: ConsumerName) -> RedisCommand {
        var command = RedisCommand("XREADGROUP", "GROUP", QueueScripts.group, consumer.text, "COUNT")
        command.append(count)
        command.append("STREAMS")
        command.append(key)
        command.append(">")
        return command
    }

    /// The entries that one stream gave.
    private static func entries(
        _ reply: RedisValue, of key: String, _ attempt: String
    ) throws(QueueError) -> [JobEntry] {
        let streams = try value(reply, of: key, "stream", attempt)
        guard streams != .null else { return [] }
        guard let parts = streams.array?.first?.array, parts.count == 2, let entries = parts[1].array else {
            throw badAnswer(attempt)
        }
        return entries.compactMap(JobEntry.init)
    }

    /// At most as many streams of a lane as jobs are wanted, another first one each time; none without its group.
    private func firstKeys(_ lane: LaneName, atMost count: Int) -> [String] {
        let keys = count < address.shards ? (0..<count).map { _ in nextKey(lane) } : address.keys(lane)
        return keys.filter { !unmade.contains($0) }
    }

    /// Sends commands; where a stranger destroyed a group or removed a stream, makes it again and sends them once more.
    private func sendPreparing(
        _ commands: [RedisCommand], _ demands: [LaneDemand], _ attempt: String
    ) async throws(QueueError) -> [RedisValue] {
        guard !commands.isEmpty else { return [] }
        let replies = try await send(commands, attempt)
        let isMissing = replies.contains {
            if case .failure(let error) = $0 { error.code == .noGroup } else { false }
        }
        guard isMissing else { return replies }
        warn(
            "the group of a stream was destroyed, or the stream removed, while workers ran; jobs that were pending then are "
                + "sent twice, and those of a removed stream that nobody had read are gone")
        try await makeGroups(demands.map(\.lane), attempt)
        return try await send(commands, attempt)
    }

    private func warnOfRemoved(_ key: String) {
        warn("a stranger removed or trimmed jobs of \(key) that were pending; what they sent is not known")
    }

    private func job(_ entry: JobEntry, _ key: String, _ lane: LaneName) -> Job {
        let (content, flaw) = entry.content(lane: lane)
        return Job(id: JobID(stream: key, entry: entry.id), content: content, enqueuedAt: entry.time, flaw: flaw)
    }

    private static func time(_ reply: RedisValue, _ attempt: String) throws(QueueError) -> Int64 {
        guard let parts = try value(reply, attempt).array, parts.count == 2,
            let seconds = parts[0].string.flatMap({ Int64($0) }),
            let microseconds = parts[1].string.flatMap({ Int64($0) })
        else { throw badAnswer(attempt) }
        return seconds * 1000 + microseconds / 1000
    }

    package func announce(_ lanes: [LaneName], as consumer: ConsumerName) async throws(QueueError) {
        // The largest id itself stands for entries that nobody has read.
        let id = "\(UInt64.max)-0"
        let keys = lanes.flatMap { address.keys($0) }
        guard !keys.isEmpty else { return }
        _ = try await send(
            keys.map {
                RedisCommand("XREADGROUP", "GROUP", QueueScripts.group, consumer.text, "COUNT", "1", "STREAMS", $0, id)
            }, "announcing lanes")
    }

    package func extend(
        _ jobs: [JobID], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> [JobID] {
        guard !jobs.isEmpty else { return [] }
        let attempt = "extending leases"
        var arguments = arguments
        arguments.append(consumer.text)
        arguments.append(jobs)
        guard let lists = try await run(QueueScripts.extend, arguments, attempt).array, lists.count == 2 else {
            throw RedisQueue.badAnswer(attempt)
        }
        let removed = RedisQueue.listed(lists[1], of: jobs)
        for stream in Set(removed.map(\.stream)) { warnOfRemoved(stream) }
        return RedisQueue.listed(lists[0], of: jobs) + removed
    }

    /// The jobs whose numbers, from 1, a script gave.
    private static func listed(_ numbers: RedisValue, of jobs: [JobID]) -> [JobID] {
        (numbers.array ?? []).compactMap(\.integer).compactMap {
            jobs.indices.contains(Int($0) - 1) ? jobs[Int($0) - 1] : nil
        }
    }

    package func release(_ jobs: [JobID], as consumer: ConsumerName) async throws(QueueError) {
        guard !jobs.isEmpty else { return }
        var arguments = arguments
        arguments.append(consumer.text)
        arguments.append(jobs)
        _ = try await run(QueueScripts.release, arguments, "giving jobs back")
        forgetCursors(jobs.map(\.stream))
    }

    package func reclaim(except held: Set<JobID>, as consumer: ConsumerName) async throws(QueueError) -> Int {
        let attempt = "taking back jobs"
        let keys = try await knownKeys(attempt)
        let entries = Dictionary(grouping: held, by: \.stream)
        var arguments = arguments
        arguments.append(consumer.text)
        arguments.append(keys.count)
        for key in keys {
            arguments.append(key)
            arguments.append(counted: (entries[key] ?? []).map(\.entry))
        }
        guard let count = try await run(QueueScripts.reclaim, arguments, attempt).integer else {
            throw RedisQueue.badAnswer(attempt)
        }
        forgetCursors(keys)
        return Int(count)
    }

    /// What was given back may be before the place at which the next XAUTOCLAIM would begin.
    private func forgetCursors(_ keys: [String]) { for key in keys { cursors[key] = nil } }

    package func remove(_ consumer: ConsumerName) async throws(QueueError) -> Bool {
        let attempt = "removing the name of a worker"
        var arguments = arguments
        arguments.append(consumer.text)
        arguments.append(counted: try await knownKeys(attempt))
        return try await run(QueueScripts.remove, arguments, attempt).integer == 1
    }
}
