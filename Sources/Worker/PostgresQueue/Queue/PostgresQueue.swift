internal import PostgresClient
package import PushQueue

/// A queue in PostgreSQL 12 or newer, in the tables of `QueueSchema.sql`.
package actor PostgresQueue: JobQueue {
    private let client: PostgresClient
    /// For the status, so that what takes long there delays no job. It connects when the status is first asked for.
    private let observer: PostgresClient
    private let stream = "push_job"
    /// How each lane is looked through, on the clock `elapsed`.
    private var searches: [LaneName: LaneSearch] = [:]
    private let elapsed: @Sendable () -> Duration
    /// What the table of workers was last told: the worker, the lanes that it reads, and when.
    private var seen: (consumer: ConsumerName, lanes: Set<LaneName>, at: ContinuousClock.Instant)?

    package init(url: String, environment: [String: String]) throws(QueueError) {
        let start = ContinuousClock.now
        try self.init(url: url, environment: environment) { ContinuousClock.now - start }
    }

    /// - Parameters:
    ///   - environment: Variables that libpq reads too, such as `PGSSLMODE`.
    ///   - elapsed: A clock for how much of a lane is looked through.
    init(
        url: String, environment: [String: String], elapsed: @escaping @Sendable () -> Duration
    ) throws(QueueError) {
        self.elapsed = elapsed
        do {
            var configuration = try PostgresConfiguration(url: url, environment: environment)
            observer = PostgresClient(configuration)
            configuration.channels = ["push_job"]
            client = PostgresClient(configuration)
        } catch {
            throw QueueError(error, nil)
        }
    }

    package func close() async {
        await client.close()
        await observer.close()
    }

    // MARK: Requests

    func run(
        _ statements: [PostgresStatement], on other: PostgresClient? = nil, _ attempt: String
    ) async throws(QueueError) -> [PostgresRows] {
        do {
            return try await (other ?? client).run(statements)
        } catch {
            throw QueueError(error, attempt)
        }
    }

    func run(
        _ sql: String, _ parameters: [String?] = [], _ attempt: String
    ) async throws(QueueError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)], attempt)[0]
    }

    private func ids(_ jobs: some Sequence<JobID>) -> String {
        PostgresArray.text(jobs.compactMap { $0.stream == stream ? Int64($0.entry) : nil })
    }

    private static func ids(_ texts: [String]) -> String { PostgresArray.text(texts.compactMap { Int64($0) }) }

    // MARK: Preparing and reserving

    package func prepare(_ lanes: [LaneName]) async throws(QueueError) {
        let rows = try await run(QueueStatements.check, [PostgresArray.text(QueueSchema.tables)], "preparing the queue")
        for row in 0..<rows.count {
            let table = rows.text(row, 0) ?? ""
            if rows.isTrue(row, 3) {
                throw QueueError(
                    .notReady, "preparing the queue: \(PostgresError.readOnlyAdvice)", isTemporary: true)
            }
            if rows.isTrue(row, 1) {
                throw QueueError(
                    .missing, "there is no table \(table); create it with: apns worker sql | psql", isTemporary: false)
            }
            if !rows.isTrue(row, 2) {
                throw QueueError(
                    .notAllowed,
                    "the user may not read and write the table \(table); `apns worker sql` names the rights",
                    isTemporary: false)
            }
        }
    }

    package func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> Reservation {
        let now = ContinuousClock.now
        let asked = elapsed()
        let extents = demands.map { searches[$0.lane, default: LaneSearch()].extent(at: asked) }
        var statements = zip(demands, extents).map { demand, extent in
            PostgresStatement(
                QueueStatements.reserve,
                [demand.lane.text, String(demand.jobs), String(lease.seconds), consumer.text] + extent.parameters)
        }
        statements.append(PostgresStatement(QueueStatements.time))
        var recent = seen
        if let last = seen, last.consumer != consumer || now - last.at >= .seconds(5) { recent = nil }
        let lanes = Set(demands.map(\.lane)).subtracting(recent?.lanes ?? [])
        if recent == nil || !lanes.isEmpty {
            statements.append(PostgresQueue.seen(consumer, lanes))
        }
        let results = try await run(statements, "reserving jobs")
        seen = (consumer, lanes.union(recent?.lanes ?? []), recent?.at ?? now)
        let answered = elapsed()
        var jobs: [Job] = []
        for (place, (demand, rows)) in zip(demands, results).enumerated() {
            var fresh: [Int64] = []
            for row in 0..<rows.count {
                let deliveries = Int(rows.number(row, 8) ?? 1)
                let content = JobContent(
                    lane: demand.lane, tenant: rows.text(row, 1), attempt: Int(rows.number(row, 2) ?? 0),
                    key: rows.text(row, 3), body: PostgresQueue.body(rows, row, 4), context: rows.text(row, 6))
                jobs.append(
                    Job(
                        id: JobID(stream: stream, entry: rows.text(row, 0) ?? ""), content: content,
                        enqueuedAt: rows.number(row, 7) ?? 0, deliveries: deliveries))
                if deliveries == 1, let id = rows.number(row, 0) { fresh.append(id) }
            }
            searches[demand.lane, default: LaneSearch()].found(
                fresh, count: rows.count, of: demand.jobs, extents[place], duration: answered - asked,
                at: answered)
        }
        return Reservation(jobs: jobs, time: results[demands.count].number(0, 0) ?? 0)
    }

    package func announce(_ lanes: [LaneName], as consumer: ConsumerName) async throws(QueueError) {
        _ = try await run([PostgresQueue.seen(consumer, Set(lanes))], "announcing lanes")
    }

    private static func seen(_ consumer: ConsumerName, _ lanes: Set<LaneName>) -> PostgresStatement {
        let names = [consumer.text] + lanes.map { "\(consumer) \($0)" }
        return PostgresStatement(QueueStatements.seen, [PostgresArray.text(names)])
    }

    /// The body in column `column`, or as bytes in the next one.
    static func body(_ rows: PostgresRows, _ row: Int, _ column: Int) -> [UInt8] {
        if let text = rows.bytes(row, column) { return text }
        return rows.text(row, column + 1).map(Hexadecimal.bytes) ?? []
    }

    package func extend(
        _ jobs: [JobID], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> [JobID] {
        guard !jobs.isEmpty else { return [] }
        let parameters = [ids(jobs), String(lease.seconds), consumer.text]
        let rows = try await run(QueueStatements.extend, parameters, "extending leases")
        let held = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        return jobs.filter { !held.contains($0.entry) || $0.stream != stream }
    }

    package func release(_ jobs: [JobID], as consumer: ConsumerName) async throws(QueueError) {
        guard !jobs.isEmpty else { return }
        let release = PostgresStatement(QueueStatements.release, [ids(jobs), consumer.text])
        _ = try await run([release, PostgresStatement(QueueStatements.wake)], "giving jobs back")
    }

    package func reclaim(except held: Set<JobID>, as consumer: ConsumerName) async throws(QueueError) -> Int {
        let reclaim = PostgresStatement(QueueStatements.reclaim, [ids(held), consumer.text])
        return try await run([reclaim, PostgresStatement(QueueStatements.wake)], "taking back jobs")[0].affected
    }

    package func waitForJobs(in lanes: [LaneName], atMost limit: Duration) async throws(QueueError) {
        let cancelled = QueueError(.cancelled, "the task was cancelled", isTemporary: false)
        guard !Task.isCancelled else { throw cancelled }
        // The connection must be there to be notified.
        if await client.connectionCount == 0 { _ = try await run(QueueStatements.time, [], "waiting for jobs") }
        await withTaskCancellationHandler {
            _ = await client.waitForNotification(timeout: limit)
        } onCancel: {
            Task { await client.endWaits() }
        }
        if Task.isCancelled { throw cancelled }
    }

    package func remove(_ consumer: ConsumerName) async throws(QueueError) -> Bool {
        if seen?.consumer == consumer { seen = nil }
        return try await run(QueueStatements.remove, [consumer.text], "removing the name of a worker").isTrue(0, 0)
    }

    // MARK: Settling

    package func settle(
        _ settlements: [Settlement], resultsKept: Int
    ) async throws(QueueError) -> [SettlementResult] {
        guard !settlements.isEmpty else { return [] }
        let columns = SettlementColumns(settlements, stream: stream)
        var statements: [PostgresStatement]
        if columns.isPlain {
            statements = [PostgresStatement(QueueStatements.settlePlain, [columns.ids])]
        } else {
            statements = [PostgresStatement(QueueStatements.settle, columns.parameters)]
        }
        if columns.hasResults {
            statements.append(PostgresStatement(QueueStatements.trimResults, [String(resultsKept)]))
        }
        let rows = try await run(statements, "settling jobs")[0]
        var gone = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        // The first settlement of a job is the one that counts.
        return settlements.map { $0.job.stream == stream && gone.remove($0.job.entry) != nil ? .settled : .notPending }
    }

    // MARK: Producers

    package func enqueue(_ jobs: [NewJob], options: EnqueueOptions) async throws(QueueError) -> EnqueueResult {
        guard !jobs.isEmpty else { return EnqueueResult(added: 0, duplicates: 0) }
        let attempt = "enqueuing jobs"
        let lines = jobs.flatMap(\.lines)
        if let maximum = options.maximumBacklog {
            // Without the known lines there are fewer jobs, which the lane may have room for.
            let known = lines.isEmpty ? [] : try await knownLines(lines, attempt)
            guard known.isEmpty else { return EnqueueResult(added: 0, duplicates: 0, known: known) }
            try await checkBacklog(jobs, maximum, attempt)
        }
        var columns = JobColumns()
        if jobs.allSatisfy(\.isPlain) {
            for job in jobs { columns.append(job.content) }
            let rows = try await run(QueueStatements.enqueuePlain, columns.plainParameters, attempt)
            return EnqueueResult(added: rows.affected, duplicates: 0)
        }
        var due = DueColumns()
        for job in jobs {
            columns.append(job.content)
            due.append(job.due)
        }
        let parameters = columns.parameters + due.parameters + [String(options.keysKept.seconds * 1000)]
        guard lines.isEmpty else { return try await enqueue(jobs.count, parameters, lines, attempt) }
        let rows = try await run(
            [PostgresStatement(QueueStatements.enqueue, parameters), PostgresStatement(QueueStatements.forgetKeys)],
            attempt)
        let added = Int(rows[0].number(0, 0) ?? 0)
        return EnqueueResult(added: added, duplicates: jobs.count - added)
    }

    /// The lock makes producers of the same batch see each other's lines.
    private func enqueue(
        _ jobCount: Int, _ parameters: [String?], _ lines: [KnownLine], _ attempt: String
    ) async throws(QueueError) -> EnqueueResult {
        let keys = PostgresArray.text(lines.map(PostgresQueue.key))
        let batches = Set(lines.map(\.batch)).sorted()
        let rows = try await run(
            [
                PostgresStatement(QueueStatements.lockBatches, [PostgresArray.text(batches)]),
                PostgresStatement(QueueStatements.knownLines, [keys]),
                PostgresStatement(
                    QueueStatements.enqueueLines, parameters + [keys, PostgresArray.text(lines.map(\.digest))]),
                PostgresStatement(QueueStatements.forgetKeys),
            ], attempt)
        let known = PostgresQueue.known(lines, rows[1])
        return EnqueueResult(added: known.isEmpty ? jobCount : 0, duplicates: 0, known: known)
    }

    private func knownLines(_ lines: [KnownLine], _ attempt: String) async throws(QueueError) -> [KnownLine] {
        let rows = try await run(
            QueueStatements.knownLines, [PostgresArray.text(lines.map(PostgresQueue.key))], attempt)
        return PostgresQueue.known(lines, rows)
    }

    private static func key(_ line: KnownLine) -> String { "\(line.batch) line \(line.number)" }

    private static func known(_ lines: [KnownLine], _ rows: PostgresRows) -> [KnownLine] {
        var digests: [String: String] = [:]
        for row in 0..<rows.count { digests[rows.text(row, 0) ?? ""] = rows.text(row, 1) ?? "" }
        return lines.compactMap { line in
            digests[key(line)].map { KnownLine(batch: line.batch, number: line.number, digest: $0) }
        }
    }

    /// Producers that enqueue at the same moment may exceed the limit together.
    private func checkBacklog(_ jobs: [NewJob], _ maximum: Int, _ attempt: String) async throws(QueueError) {
        let lanes = Set(jobs.map(\.content.lane)).sorted()
        // What has lines is not known by its key.
        let keys = jobs.compactMap { $0.lines.isEmpty ? $0.content.key : nil }
        var statements = [
            PostgresStatement(
                QueueStatements.backlog, [PostgresArray.text(lanes.map(\.text)), String(maximum + 1)])
        ]
        // A producer without keys has no right to their table.
        if !keys.isEmpty {
            statements.append(PostgresStatement(QueueStatements.knownKeys, [PostgresArray.text(keys)]))
        }
        let rows = try await run(statements, attempt)
        var known: Set<String> = []
        if !keys.isEmpty { known.formUnion((0..<rows[1].count).compactMap { rows[1].text($0, 0) }) }
        var added: [String: Int] = [:]
        for job in jobs where job.content.key.map({ known.insert($0).inserted }) ?? true {
            if job.due == nil { added[job.content.lane.text, default: 0] += 1 }
        }
        for row in 0..<rows[0].count {
            let lane = rows[0].text(row, 0) ?? ""
            let backlog = Int(rows[0].number(row, 1) ?? 0)
            guard let count = added[lane], backlog + count > maximum else { continue }
            throw QueueError(
                .backlogFull,
                "the lane \(lane) has \(backlog > maximum ? "more than \(maximum)" : "\(backlog)") jobs that wait, and "
                    + "\(maximum) are the most", isTemporary: true)
        }
    }

    package func promote(limit: Int) async throws(QueueError) -> Int {
        Int(try await run(QueueStatements.promote, [String(limit)], "moving scheduled jobs").number(0, 0) ?? 0)
    }

    package func take(_ demands: [RateDemand]) async throws(QueueError) -> [RateGrant] {
        guard !demands.isEmpty else { return [] }
        // Each is a request of its own, so that two workers that want the same buckets in another order do not wait for each
        // other.
        var grants: [RateGrant] = []
        for demand in demands {
            let rate = Double(max(demand.perSecond, 1))
            let rows = try await run(
                QueueStatements.take, [demand.bucket, String(rate), String(demand.wanted)], "taking tokens of a limit")
            let granted = Int(rows.number(0, 0) ?? 0)
            let tokens = Double(rows.text(0, 1) ?? "0") ?? 0
            let missing = min(Double(demand.wanted - granted), rate) - tokens
            let wait = granted == demand.wanted ? 0 : max(1, (missing * 1000 / rate).rounded(.up))
            grants.append(RateGrant(granted: granted, wait: .milliseconds(Int64(wait))))
        }
        return grants
    }

    // MARK: Operators

    package func list(
        _ place: KeptPlace, from page: String?, limit: Int
    ) async throws(QueueError) -> QueuePage<KeptJob> {
        let start = (page ?? "").split(separator: " ").compactMap { Int64($0) }
        let rows: PostgresRows
        switch place {
        case .dead:
            rows = try await run(
                QueueStatements.listDead, [String(start.first ?? 0), String(limit + 1)], "listing the dead letter")
        case .later:
            let due = start.count == 2 ? start[0] : .min
            let id = start.count == 2 ? start[1] : 0
            rows = try await run(
                QueueStatements.listLater, [String(due), String(id), String(limit + 1)], "listing scheduled jobs")
        }
        let jobs = (0..<min(rows.count, limit)).map { row in
            KeptJob(
                id: rows.text(row, 0) ?? "",
                content: JobContent(
                    lane: rows.text(row, 1).flatMap { LaneName($0) } ?? .normal, tenant: rows.text(row, 2),
                    attempt: Int(rows.number(row, 3) ?? 0), key: rows.text(row, 4),
                    body: PostgresQueue.body(rows, row, 5), context: rows.text(row, 7)),
                reason: rows.text(row, 8) ?? "", why: rows.text(row, 9) ?? "", keptAt: rows.number(row, 10) ?? 0,
                due: place == .later ? (rows.number(row, 11) ?? 0) / 1000 : nil)
        }
        guard rows.count > limit, let last = jobs.last else { return QueuePage(jobs) }
        let place = place == .later ? "\(rows.text(limit - 1, 11) ?? "0") \(last.id)" : last.id
        return QueuePage(jobs, next: place)
    }

    package func feedback(from page: String?, limit: Int) async throws(QueueError) -> QueuePage<FeedbackLine> {
        let start = page.flatMap { Int64($0) } ?? 0
        let rows = try await run(QueueStatements.feedback, [String(start), String(limit + 1)], "reading feedback")
        let lines = (0..<min(rows.count, limit)).map {
            FeedbackLine(id: rows.text($0, 0) ?? "", line: rows.text($0, 1) ?? "")
        }
        return QueuePage(lines, next: rows.count > limit ? lines.last?.id : nil)
    }

    package func retry(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        let sql = place == .dead ? QueueStatements.retryDead : QueueStatements.retryLater
        return Int(try await run(sql, [PostgresQueue.ids(ids)], "moving kept jobs").number(0, 0) ?? 0)
    }

    package func drop(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        let table = place == .dead ? "push_dead" : "push_later"
        return try await run(QueueStatements.drop(table), [PostgresQueue.ids(ids)], "removing kept jobs").affected
    }

    package func dropFeedback(_ ids: [String]) async throws(QueueError) -> Int {
        try await run(QueueStatements.drop("push_feedback"), [PostgresQueue.ids(ids)], "removing feedback").affected
    }

    package func status() async throws(QueueError) -> QueueStatus {
        let results = try await run(
            QueueStatements.status.map { PostgresStatement($0) }, on: observer, "reading the status of the queue")
        let (lanes, workers, counts) = (results[1], results[2], results[3])
        var status = QueueStatus(
            later: Int(counts.number(0, 0) ?? 0), dead: Int(counts.number(0, 1) ?? 0),
            feedback: Int(counts.number(0, 2) ?? 0), time: counts.number(0, 3) ?? 0,
            engine: "PostgreSQL \(counts.text(0, 4) ?? "")")
        var lastReads: [LaneName: Duration] = [:]
        for row in 0..<workers.count {
            let parts = (workers.text(row, 0) ?? "").split(separator: " ")
            guard parts.count == 2, let lane = LaneName(parts[1]), let idle = workers.number(row, 2) else { continue }
            let time = Duration.milliseconds(max(idle, 0))
            lastReads[lane] = min(lastReads[lane] ?? time, time)
        }
        status.lanes = (0..<lanes.count).compactMap { row in
            guard let name = lanes.text(row, 0).flatMap({ LaneName($0) }) else { return nil }
            return QueueStatus.Lane(
                name, backlog: Int(lanes.number(row, 1) ?? 0), pending: Int(lanes.number(row, 2) ?? 0),
                oldest: lanes.number(row, 3).map { .milliseconds(max($0, 0)) }, lastRead: lastReads[name])
        }
        status.consumers = (0..<workers.count).compactMap { row in
            guard let name = workers.text(row, 0).flatMap({ ConsumerName($0) }) else { return nil }
            return QueueStatus.Consumer(
                name, pending: Int(workers.number(row, 1) ?? 0),
                idle: .milliseconds(max(workers.number(row, 2) ?? 0, 0)))
        }
        if results[4].count > 0, let lane = results[4].text(0, 0).flatMap({ LaneName($0) }) {
            status.noteOverdue(in: lane, since: results[4].number(0, 1) ?? status.time)
        }
        if counts.text(0, 5) == "off" {
            status.warnings.append("fsync is off, so a crash of the machine may destroy the queue")
        }
        if counts.text(0, 6) == "off" {
            status.warnings.append("synchronous_commit is off, so a crash loses the last moments")
        }
        if counts.number(0, 7) == 0 {
            status.warnings.append("the trigger push_job_notify is missing, so workers look for jobs once a second")
        }
        if let age = counts.number(0, 8), age > 600_000 {
            status.warnings.append(
                "a transaction has been open for more than ten minutes, so vacuum cannot remove the rows of settled jobs; look at "
                    + "pg_stat_activity")
        }
        return status
    }
}

extension NewJob {
    /// Whether it needs nothing but a row of `push_job` with what every producer may write.
    fileprivate var isPlain: Bool {
        due == nil && lines.isEmpty && content.key == nil && content.attempt == 0 && content.context == nil
    }
}
