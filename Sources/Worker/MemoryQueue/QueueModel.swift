package import PushQueue

/// The reference for every engine: a queue as a value, without clock, lock and I/O.
///
/// Times are the engine's, in milliseconds since 1970.
package struct QueueModel: Sendable {
    struct Entry: Sendable {
        var content: JobContent
        var enqueuedAt: Int64
        var deliveries = 0
    }

    struct Hold: Sendable {
        /// Nil where the job was given back.
        var consumer: ConsumerName?
        var until: Int64
    }

    struct Lane: Sendable {
        /// Every job that is not settled, by the number of its entry.
        var entries: [UInt64: Entry] = [:]
        /// Those that were never reserved: `fresh[first...]`, oldest first.
        var fresh: [UInt64] = []
        var first = 0
        var pending: [UInt64: Hold] = [:]
        /// When a worker last asked for jobs of it, or announced it.
        var readAt: Int64?

        /// Those that were given back.
        var free: Int { pending.values.count { $0.consumer == nil } }
        var backlog: Int { fresh.count - first + free }

        mutating func takeFresh() -> UInt64? {
            guard first < fresh.count else { return nil }
            defer { first += 1 }
            let number = fresh[first]
            if first >= 1024, first * 2 >= fresh.count {
                fresh.removeFirst(first)
                first = 0
            }
            return number
        }
    }

    struct Kept: Sendable {
        var content: JobContent
        var reason: String
        var why: String
        var keptAt: Int64
        var due: Int64?
    }

    struct TakenLine: Sendable {
        var digest: String
        var until: Int64
    }

    struct Bucket: Sendable {
        var tokens: Double
        var at: Int64
    }

    var lanes: [LaneName: Lane] = [:]
    var lastNumber: UInt64 = 0
    var kept: [KeptPlace: [UInt64: Kept]] = [.dead: [:], .later: [:]]
    var feedbackLines: [(number: UInt64, line: String)] = []
    package private(set) var results: [String] = []
    var keys: [String: Int64] = [:]
    var batchLines: [String: [Int: TakenLine]] = [:]
    var buckets: [String: Bucket] = [:]
    var seen: [ConsumerName: Int64] = [:]
    /// What the status warns of.
    package var warnings: [String] = []

    package init() {}

    static let stream = "memory:jobs:"

    private mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private mutating func add(_ content: JobContent, at now: Int64) {
        let number = number()
        lanes[content.lane, default: Lane()].entries[number] = Entry(content: content, enqueuedAt: now)
        lanes[content.lane]?.fresh.append(number)
    }

    /// Lane and number of an id that this model made.
    static func place(of id: JobID) -> (lane: LaneName, number: UInt64)? {
        guard id.stream.hasPrefix(stream), let lane = LaneName(id.stream.dropFirst(stream.count)),
            let number = UInt64(id.entry)
        else { return nil }
        return (lane, number)
    }

    package static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    // MARK: Producers

    package mutating func enqueue(
        _ jobs: [NewJob], options: EnqueueOptions, at now: Int64
    ) throws(QueueError) -> EnqueueResult {
        keys = keys.filter { $0.value > now }
        let lines = jobs.flatMap(\.lines)
        let known = lines.compactMap { line in
            batchLines[line.batch]?[line.number].flatMap { before in
                before.until > now ? KnownLine(batch: line.batch, number: line.number, digest: before.digest) : nil
            }
        }
        guard known.isEmpty else { return EnqueueResult(added: 0, duplicates: 0, known: known) }
        var fresh: [NewJob] = []
        var new: Set<String> = []
        for job in jobs {
            if job.lines.isEmpty, let key = job.content.key, keys[key] != nil || !new.insert(key).inserted { continue }
            fresh.append(job)
        }
        if let maximum = options.maximumBacklog {
            var added: [LaneName: Int] = [:]
            for job in fresh where job.due == nil { added[job.content.lane, default: 0] += 1 }
            for (lane, count) in added where (lanes[lane]?.backlog ?? 0) + count > maximum {
                throw QueueError(
                    .backlogFull,
                    "the lane \(lane) has \(lanes[lane]?.backlog ?? 0) jobs that wait, and \(maximum) are the most",
                    isTemporary: true)
            }
        }
        let until = now + QueueModel.milliseconds(options.keysKept)
        for key in new { keys[key] = until }
        for line in lines {
            batchLines[line.batch, default: [:]][line.number] = TakenLine(digest: line.digest, until: until)
        }
        for job in fresh {
            if let due = job.due {
                keep(LaterContent(job.content, due: due, reason: "scheduled", why: ""), at: now)
            } else {
                add(job.content, at: now)
            }
        }
        return EnqueueResult(added: fresh.count, duplicates: jobs.count - fresh.count)
    }

    private mutating func keep(_ later: LaterContent, at now: Int64) {
        let due =
            switch later.due {
            case .at(let time): time
            case .after(let wait): now + QueueModel.milliseconds(wait)
            }
        let number = number()
        kept[.later]?[number] = Kept(
            content: later.content, reason: later.reason, why: later.why, keptAt: now, due: due)
    }

    // MARK: Workers

    package mutating func prepare(_ names: [LaneName]) {
        for name in names where lanes[name] == nil { lanes[name] = Lane() }
    }

    package mutating func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName, at now: Int64
    ) -> Reservation {
        seen[consumer] = now
        let until = now + QueueModel.milliseconds(lease)
        var jobs: [Job] = []
        for demand in demands {
            // Taken out while it changes, so that nothing of it is copied.
            var lane = lanes.removeValue(forKey: demand.lane) ?? Lane()
            lane.readAt = now
            let over = lane.pending.filter { $0.value.until <= now }.keys.sorted()
            var numbers = Array(over.prefix(demand.jobs))
            while numbers.count < demand.jobs, let number = lane.takeFresh() { numbers.append(number) }
            for number in numbers {
                guard var entry = lane.entries[number] else { continue }
                entry.deliveries += 1
                lane.entries[number] = entry
                lane.pending[number] = Hold(consumer: consumer, until: until)
                jobs.append(
                    Job(
                        id: JobID(stream: QueueModel.stream + demand.lane.text, entry: String(number)),
                        content: entry.content, enqueuedAt: entry.enqueuedAt, deliveries: entry.deliveries))
            }
            lanes[demand.lane] = lane
        }
        return Reservation(jobs: jobs, time: now)
    }

    package mutating func announce(_ names: [LaneName], as consumer: ConsumerName, at now: Int64) {
        seen[consumer] = now
        for name in names { lanes[name, default: Lane()].readAt = now }
    }

    package mutating func extend(
        _ jobs: [JobID], lease: Duration, as consumer: ConsumerName, at now: Int64
    ) -> [JobID] {
        seen[consumer] = now
        let until = now + QueueModel.milliseconds(lease)
        return jobs.filter { id in
            guard let place = QueueModel.place(of: id), lanes[place.lane]?.pending[place.number]?.consumer == consumer
            else { return true }
            lanes[place.lane]?.pending[place.number]?.until = until
            return false
        }
    }

    package mutating func settle(
        _ settlements: [Settlement], resultsKept: Int, at now: Int64
    ) -> [SettlementResult] {
        settlements.map { settlement in
            guard let place = QueueModel.place(of: settlement.job),
                lanes[place.lane]?.pending.removeValue(forKey: place.number) != nil
            else { return .notPending }
            for line in settlement.feedback { feedbackLines.append((number(), line)) }
            for dead in settlement.dead {
                let number = number()
                kept[.dead]?[number] = Kept(
                    content: dead.content, reason: dead.reason, why: dead.why, keptAt: now, due: nil)
            }
            for later in settlement.later { keep(later, at: now) }
            for content in settlement.again { add(content, at: now) }
            results += settlement.results
            if results.count > resultsKept { results.removeFirst(results.count - resultsKept) }
            lanes[place.lane]?.entries[place.number] = nil
            return .settled
        }
    }

    package mutating func release(_ jobs: [JobID], as consumer: ConsumerName, at now: Int64) {
        seen[consumer] = now
        for id in jobs {
            guard let (name, number) = QueueModel.place(of: id), lanes[name]?.pending[number]?.consumer == consumer
            else { continue }
            lanes[name]?.pending[number] = Hold(consumer: nil, until: now)
            lanes[name]?.entries[number]?.deliveries -= 1
        }
    }

    package mutating func reclaim(except held: Set<JobID>, as consumer: ConsumerName, at now: Int64) -> Int {
        seen[consumer] = now
        var count = 0
        for (name, lane) in lanes {
            for (number, hold) in lane.pending where hold.consumer == consumer {
                let id = JobID(stream: QueueModel.stream + name.text, entry: String(number))
                guard !held.contains(id) else { continue }
                lanes[name]?.pending[number] = Hold(consumer: nil, until: now)
                count += 1
            }
        }
        return count
    }

    package mutating func promote(limit: Int, at now: Int64) -> Int {
        let due = (kept[.later] ?? [:]).filter { ($0.value.due ?? .max) <= now }
        let numbers = due.keys.sorted { ((due[$0]?.due ?? 0), $0) < ((due[$1]?.due ?? 0), $1) }.prefix(limit)
        for number in numbers {
            if let job = kept[.later]?.removeValue(forKey: number) { add(job.content, at: now) }
        }
        return numbers.count
    }

    package mutating func take(_ demands: [RateDemand], at now: Int64) -> [RateGrant] {
        demands.map { demand in
            let capacity = Double(max(1, demand.perSecond))
            var bucket = buckets[demand.bucket] ?? Bucket(tokens: capacity, at: now)
            bucket.tokens = min(capacity, bucket.tokens + Double(max(0, now - bucket.at)) * capacity / 1000)
            bucket.at = max(bucket.at, now)
            let granted = min(demand.wanted, Int(bucket.tokens))
            bucket.tokens -= Double(granted)
            buckets[demand.bucket] = bucket
            let missing = Double(min(demand.wanted - granted, Int(capacity))) - bucket.tokens
            let wait = granted == demand.wanted ? 0 : max(1, (missing * 1000 / capacity).rounded(.up))
            return RateGrant(granted: granted, wait: .milliseconds(Int64(wait)))
        }
    }

    // MARK: Operators

    package func list(_ place: KeptPlace, from page: String?, limit: Int) -> QueuePage<KeptJob> {
        let all = kept[place] ?? [:]
        let after = page.flatMap(QueueModel.position)
        let order = all.map { (due: $0.value.due ?? 0, number: $0.key) }.sorted(by: <)
            .filter { place in after.map { $0 < place } ?? true }
        let jobs = order.prefix(limit).compactMap { _, number in
            all[number].map {
                KeptJob(
                    id: String(number), content: $0.content, reason: $0.reason, why: $0.why, keptAt: $0.keptAt,
                    due: $0.due)
            }
        }
        let last = order.prefix(limit).last
        return QueuePage(jobs, next: order.count > limit ? last.map { "\($0.0) \($0.1)" } : nil)
    }

    /// The position of a page: the due time and the number of the entry before it.
    private static func position(_ page: String) -> (due: Int64, number: UInt64)? {
        let parts = page.split(separator: " ")
        guard parts.count == 2, let due = Int64(parts[0]), let number = UInt64(parts[1]) else { return nil }
        return (due, number)
    }

    package func feedback(from page: String?, limit: Int) -> QueuePage<FeedbackLine> {
        let after = page.flatMap(UInt64.init) ?? 0
        let part = feedbackLines.lazy.filter { $0.number > after }.prefix(limit + 1)
        let lines = Array(part.prefix(limit).map { FeedbackLine(id: String($0.number), line: $0.line) })
        return QueuePage(lines, next: part.count > limit ? lines.last?.id : nil)
    }

    package mutating func retry(_ place: KeptPlace, _ ids: [String], at now: Int64) -> Int {
        var count = 0
        for number in ids.compactMap(UInt64.init) {
            guard var job = kept[place]?.removeValue(forKey: number) else { continue }
            if place == .dead { job.content.attempt = 0 }
            add(job.content, at: now)
            count += 1
        }
        return count
    }

    package mutating func drop(_ place: KeptPlace, _ ids: [String]) -> Int {
        ids.compactMap(UInt64.init).count { kept[place]?.removeValue(forKey: $0) != nil }
    }

    package mutating func dropFeedback(_ ids: [String]) -> Int {
        let numbers = Set(ids.compactMap(UInt64.init))
        let before = feedbackLines.count
        feedbackLines.removeAll { numbers.contains($0.number) }
        return before - feedbackLines.count
    }

    package func status(at now: Int64) -> QueueStatus {
        let lanes = self.lanes.sorted { $0.key < $1.key }.map { name, lane in
            let oldest = lane.entries.values.map(\.enqueuedAt).min()
            return QueueStatus.Lane(
                name, backlog: lane.backlog, pending: lane.pending.count - lane.free,
                oldest: oldest.map { .milliseconds(max(0, now - $0)) },
                lastRead: lane.readAt.map { .milliseconds(max(0, now - $0)) })
        }
        let consumers = seen.sorted { $0.key < $1.key }.map { name, time in
            QueueStatus.Consumer(name, pending: pending(of: name), idle: .milliseconds(max(0, now - time)))
        }
        var status = QueueStatus(
            lanes: lanes, consumers: consumers, later: kept[.later]?.count ?? 0, dead: kept[.dead]?.count ?? 0,
            feedback: feedbackLines.count, time: now, engine: "memory", warnings: warnings)
        let due = (kept[.later] ?? [:]).values.min { ($0.due ?? .max) < ($1.due ?? .max) }
        if let due, let time = due.due, time <= now {
            status.noteOverdue(in: due.content.lane, since: max(time, due.keptAt))
        }
        return status
    }

    private func pending(of consumer: ConsumerName) -> Int {
        lanes.values.reduce(0) { $0 + $1.pending.values.count { $0.consumer == consumer } }
    }

    package mutating func remove(_ consumer: ConsumerName) -> Bool {
        guard pending(of: consumer) == 0 else { return false }
        seen[consumer] = nil
        return true
    }
}
