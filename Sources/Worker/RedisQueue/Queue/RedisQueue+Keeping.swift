package import PushQueue
internal import RedisClient

extension RedisQueue {
    package func list(
        _ place: KeptPlace, from page: String?, limit: Int
    ) async throws(QueueError) -> QueuePage<KeptJob> {
        switch place {
        case .dead: try await listDead(page, limit)
        case .later: try await listLater(page, limit)
        }
    }

    private func listDead(_ page: String?, _ limit: Int) async throws(QueueError) -> QueuePage<KeptJob> {
        let attempt = "listing the dead letter"
        var arguments = arguments
        arguments.append(page.flatMap(RedisQueue.entryID) ?? "-")
        arguments.append(limit)
        let reply = try await run(QueueScripts.listDead, arguments, attempt)
        guard let values = reply.array, let isMore = values.first?.integer else { throw RedisQueue.badAnswer(attempt) }
        let jobs = values.dropFirst().compactMap(JobEntry.init).map { entry in
            KeptJob(
                id: entry.id, content: entry.content(lane: nil).content, reason: entry.text("reason") ?? "",
                why: entry.text("why") ?? "", keptAt: entry.time)
        }
        return QueuePage(jobs, next: isMore == 1 ? jobs.last?.id : nil)
    }

    private func listLater(_ page: String?, _ limit: Int) async throws(QueueError) -> QueuePage<KeptJob> {
        let attempt = "listing scheduled jobs"
        let parts = page?.split(separator: " ") ?? []
        let isPage = parts.count == 2 && Double(parts[0]) != nil
        var arguments = arguments
        arguments.append(isPage ? String(parts[0]) : "-inf")
        arguments.append(isPage ? String(parts[1]) : "")
        arguments.append(limit)
        let reply = try await run(QueueScripts.listLater, arguments, attempt)
        guard let values = reply.array, let isMore = values.first?.integer else { throw RedisQueue.badAnswer(attempt) }
        var jobs: [KeptJob] = []
        var last: String?
        for value in values.dropFirst() {
            guard let entry = JobEntry(value), let due = value.array?.last?.string else { continue }
            jobs.append(
                KeptJob(
                    id: entry.id, content: entry.content(lane: nil).content, reason: entry.text("reason") ?? "",
                    why: entry.text("why") ?? "", keptAt: entry.text("kept").flatMap { Int64($0) } ?? 0,
                    due: Double(due).map(RedisQueue.milliseconds)))
            last = "\(due) \(entry.id)"
        }
        return QueuePage(jobs, next: isMore == 1 ? last : nil)
    }

    /// A score as a time. A stranger may have written one that no time has, such as `inf`.
    private static func milliseconds(_ score: Double) -> Int64 {
        Int64(exactly: score.rounded(.towardZero)) ?? (score < 0 ? .min : .max)
    }

    package func feedback(from page: String?, limit: Int) async throws(QueueError) -> QueuePage<FeedbackLine> {
        let attempt = "reading feedback"
        let from = page.flatMap(RedisQueue.entryID).map { "(\($0)" } ?? "-"
        let key = "\(address.prefix):feedback"
        let reply = try await send([RedisCommand("XRANGE", key, from, "+", "COUNT", "\(limit + 1)")], attempt)[0]
        guard let values = try RedisQueue.value(reply, of: key, "stream", attempt).array else {
            throw RedisQueue.badAnswer(attempt)
        }
        let lines = values.prefix(limit).compactMap(JobEntry.init).map {
            FeedbackLine(id: $0.id, line: $0.text("line") ?? "")
        }
        return QueuePage(lines, next: values.count > limit ? lines.last?.id : nil)
    }

    package func retry(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        let attempt = "moving kept jobs"
        var arguments = arguments
        arguments.append(place.rawValue)
        arguments.append(address.shards)
        arguments.append(counted: RedisQueue.known(ids, place))
        return try await count(QueueScripts.retry, arguments, attempt)
    }

    package func drop(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        var arguments = arguments
        arguments.append(place.rawValue)
        arguments.append(counted: RedisQueue.known(ids, place))
        return try await count(QueueScripts.drop, arguments, "removing kept jobs")
    }

    package func dropFeedback(_ ids: [String]) async throws(QueueError) -> Int {
        var arguments = arguments
        arguments.append("feedback")
        arguments.append(counted: RedisQueue.known(ids, .dead))
        return try await count(QueueScripts.drop, arguments, "removing feedback")
    }

    private func count(
        _ script: RedisScript, _ arguments: ScriptArguments, _ attempt: String
    ) async throws(QueueError) -> Int {
        guard let count = try await run(script, arguments, attempt).integer else { throw RedisQueue.badAnswer(attempt) }
        return Int(count)
    }

    /// Ids that the server takes; an entry's has a time and a number.
    private static func known(_ ids: [String], _ place: KeptPlace) -> [String] {
        place == .later ? ids : ids.compactMap(entryID)
    }

    private static func entryID(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { UInt64($0) != nil } ? text : nil
    }

    // MARK: Status

    /// The keys of all streams of jobs: those that workers and `enqueue` have named, and in a server with few keys also those
    /// that only a producer of another kind uses.
    ///
    /// - Parameter searching: For the status, which says itself that the key of the names is another program's.
    func knownKeys(_ attempt: String, searching: Bool = false) async throws(QueueError) -> [String] {
        let place = "\(address.prefix):lanes"
        let reply = try await send([RedisCommand("SMEMBERS", place)], attempt)[0]
        let isForeign = if case .failure(let error) = reply { error.code == .wrongType } else { false }
        var keys: Set<String> = []
        if !isForeign || !searching {
            keys.formUnion((try RedisQueue.value(reply, of: place, "set", attempt).array ?? []).compactMap(\.string))
        }
        for lane in lanes { keys.formUnion(address.keys(lane)) }
        var cursor = "0"
        var rounds = 0
        while searching, rounds < 20 {
            let command = RedisCommand("SCAN", cursor, "MATCH", "\(address.prefix):jobs:*", "COUNT", "1000")
            guard let parts = try RedisQueue.value(try await send([command], attempt)[0], attempt).array,
                parts.count == 2
            else { throw RedisQueue.badAnswer(attempt) }
            keys.formUnion((parts[1].array ?? []).compactMap(\.string))
            cursor = parts[0].string ?? "0"
            rounds += 1
            if cursor == "0" { break }
        }
        return keys.filter { address.lane(ofKey: $0) != nil }.sorted()
    }

    package func status() async throws(QueueError) -> QueueStatus {
        let attempt = "reading the status of the queue"
        let keys = try await knownKeys(attempt, searching: true)
        let facts = try RedisQueue.facts(try await send([RedisCommand("INFO")], attempt)[0], attempt)
        var arguments = arguments
        arguments.append(counted: keys)
        guard let values = try await run(QueueScripts.status, arguments, attempt).array, values.count == 6 + keys.count,
            let time = values[0].string.flatMap({ Int64($0) }), let foreign = values[4].array
        else { throw RedisQueue.badAnswer(attempt) }
        let counts = values[1...3].map { Int($0.integer ?? 0) }
        var status = QueueStatus(
            later: counts[0], dead: counts[1], feedback: counts[2], time: time, engine: RedisQueue.name(facts))
        status.foreign = foreign.compactMap(\.string)
        status.warnings = status.foreign
        var streams: [(key: String, facts: StreamFacts)] = []
        for (key, value) in zip(keys, values.dropFirst(6)) where value != .null {
            guard let facts = StreamFacts(value) else { throw RedisQueue.badAnswer(attempt) }
            streams.append((key, facts))
        }
        add(streams, to: &status)
        if let overdue = values[5].array, overdue.count == 2, let since = overdue[0].string.flatMap({ Double($0) }),
            let lane = overdue[1].string.flatMap({ LaneName($0) })
        {
            status.noteOverdue(in: lane, since: RedisQueue.milliseconds(since))
        }
        status.warnings += warnings + RedisQueue.warnings(facts)
        return status
    }

    private func add(_ streams: [(key: String, facts: StreamFacts)], to status: inout QueueStatus) {
        var lanes: [LaneName: QueueStatus.Lane] = [:]
        var consumers: [ConsumerName: QueueStatus.Consumer] = [:]
        for (key, facts) in streams {
            guard let name = address.lane(ofKey: key) else { continue }
            if let removed = facts.removed, removed > 0 {
                status.warnings.append(
                    "a stranger removed or trimmed \(removed) jobs of \(key) before they were settled; those that nobody had "
                        + "read are lost")
            }
            var lane = lanes[name] ?? QueueStatus.Lane(name, backlog: 0, pending: 0, oldest: nil)
            let (backlog, pending) = (max(facts.count - facts.pending, 0) + facts.free, facts.pending - facts.free)
            lane.backlog += backlog
            lane.pending += pending
            if !address.keys(name).contains(key) { lane.elsewhere += backlog + pending }
            if backlog > 0, facts.isUnread(at: status.time) {
                lane.unreadStreams.append(QueueStatus.Stream(key, backlog: backlog))
            }
            if let oldest = facts.oldest {
                lane.oldest = max(lane.oldest ?? .zero, .milliseconds(max(status.time - oldest, 0)))
            }
            if let idle = facts.consumers.map(\.idle).min() { lane.lastRead = min(lane.lastRead ?? idle, idle) }
            lanes[name] = lane
            for consumer in facts.consumers {
                let before = consumers[consumer.name]
                consumers[consumer.name] = QueueStatus.Consumer(
                    consumer.name, pending: (before?.pending ?? 0) + consumer.pending,
                    idle: min(before?.idle ?? consumer.idle, consumer.idle))
            }
        }
        status.lanes = lanes.values.sorted { $0.name < $1.name }
        status.consumers = consumers.values.sorted { $0.name < $1.name }
    }

    private static func name(_ facts: [String: String]) -> String {
        if let version = facts["valkey_version"] { return "Valkey \(version)" }
        return "Redis \(facts["redis_version"] ?? "of an unknown version")"
    }

    private static func warnings(_ facts: [String: String]) -> [String] {
        var sentences: [String] = []
        if let policy = facts["maxmemory_policy"], policy != "noeviction", facts["maxmemory"] != "0" {
            sentences.append("maxmemory-policy is \(policy), so a full server may remove jobs; set it to noeviction")
        }
        if facts["aof_enabled"] == "0" {
            sentences.append(
                "appendonly is off, so a server that is killed loses the jobs since its last snapshot; set it to yes")
        } else if facts["aof_last_write_status"] ?? "ok" != "ok" {
            sentences.append("the server cannot write its append-only file; see its log")
        }
        return sentences
    }
}
