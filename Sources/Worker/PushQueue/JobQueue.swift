/// A durable queue in an engine that its users already run: Redis Streams, or a table of PostgreSQL.
///
/// A job is in one place at any time:
///
/// ```
/// enqueue ──▶ ready ──reserve──▶ pending ──settle──▶ gone, and what follows: feedback, dead, later, again, results
///               ▲                   │
///               ├──── release ──────┤
///               ├── lease is over ──┘
///               └── promote, retry ◀── later, dead
/// ```
///
/// Delivery is at least once. A job is never lost; it is delivered twice only where a worker held it and did not settle
/// it in time, and then `Job.deliveries` says so. The first settlement of a pending job counts.
///
/// All calls may run concurrently, from any task. A call whose answer was lost throws with `mayBeDone`:
///
/// | call | atomic | repeated after a lost answer |
/// |---|---|---|
/// | `prepare` | each step | does nothing more |
/// | `reserve` | each job | reserves other jobs; those of the lost answer wait for `reclaim`, or for the end of their lease |
/// | `announce`, `extend` | each lane, each job | does the same again |
/// | `settle` | each settlement | says `notPending` for what was done |
/// | `release` | each job | does nothing more |
/// | `reclaim` | each job | does nothing more |
/// | `enqueue` | the call | doubles jobs without a `key` and without lines, and no others |
/// | `promote`, `retry`, `drop` | each job | does nothing more for those that were moved |
/// | `take` | each bucket | takes more tokens, so that fewer pushes are sent |
///
/// An engine has to pass `checkJobQueue` of the module PushQueueTesting.
package protocol JobQueue: Sendable {
    /// Checks the server (version, mode, rights) and makes what the queue needs for these lanes and is not there.
    ///
    /// Redis: groups at `0`, with MKSTREAM; a full server makes none, so that lanes without one are left out until it does, and
    /// only where all are without one it throws. PostgreSQL: looks for the tables, which `apns worker sql` prints, and makes none.
    ///
    /// - Throws: `unsupportedServer`, `notAllowed`, `missing`, `foreignData`, or what any call can throw: `unreachable`,
    ///   `connectionLost`, `timedOut`, `notReady`, `notAuthenticated`, `full`, `cancelled`, `closed`.
    func prepare(_ lanes: [LaneName]) async throws(QueueError)

    /// Reserves ready jobs, first those whose lease is over, then the oldest. It never waits for jobs.
    ///
    /// A demand of a lane that was not prepared, or whose group or stream a stranger removed, is prepared again; what is lost
    /// by that is a warning in `status`.
    ///
    /// Redis: XAUTOCLAIM with `lease` as the minimum idle time, then XREADGROUP. So all workers of a queue must have the same
    /// lease. PostgreSQL: one UPDATE over a SELECT … FOR UPDATE SKIP LOCKED, which writes the end of the lease.
    func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> Reservation

    /// Says that `consumer` reads these lanes, for `QueueStatus.Lane.lastRead`. A worker that is paused reads them without
    /// reserving anything.
    ///
    /// Redis: XREADGROUP of the consumer's own pending entries after the largest id, which is always empty.
    func announce(_ lanes: [LaneName], as consumer: ConsumerName) async throws(QueueError)

    /// Starts the lease of jobs anew, for those that `consumer` still holds.
    ///
    /// Redis: XCLAIM with JUSTID, which does not count a delivery, inside a script that checks the holder.
    ///
    /// - Returns: The jobs that it does not hold any more: another worker has them, or they are settled.
    func extend(_ jobs: [JobID], lease: Duration, as consumer: ConsumerName) async throws(QueueError) -> [JobID]

    /// Ends jobs. For each settlement, all or nothing; for all of them, one round trip.
    ///
    /// Who holds a pending job does not matter: an outcome that is known counts, even when the lease was over and another
    /// worker has the job now.
    ///
    /// Redis: one script, or MULTI; XADD of what follows, then XACK and XDEL, and nothing for a job that XPENDING does not have.
    /// PostgreSQL: one transaction; a row that DELETE does not find writes nothing.
    ///
    /// - Parameter resultsKept: `results` keeps this many of its newest entries; of 10,000 and more an engine may keep a
    ///   hundred more. Nothing else is ever trimmed.
    /// - Returns: As many results as settlements, in their order.
    func settle(_ settlements: [Settlement], resultsKept: Int) async throws(QueueError) -> [SettlementResult]

    /// Makes jobs ready at once that `consumer` holds and surely did not send. This delivery is not counted.
    ///
    /// Redis: XCLAIM to itself with a large IDLE and with RETRYCOUNT one lower, so that the next XAUTOCLAIM takes it.
    func release(_ jobs: [JobID], as consumer: ConsumerName) async throws(QueueError)

    /// Makes every job ready at once that is pending for `consumer` and not among `held`. Their deliveries stay counted,
    /// because an earlier process of this name may have sent them.
    ///
    /// For a worker that starts with the name of one that was killed, and after an answer of `reserve` was lost.
    ///
    /// - Returns: How many jobs these were.
    func reclaim(except held: Set<JobID>, as consumer: ConsumerName) async throws(QueueError) -> Int

    /// Waits until a job may be ready in one of these lanes, at most `limit`. It may return early, and it may miss jobs that
    /// become ready by the end of a lease: callers ask again from time to time.
    ///
    /// Redis: a blocking read on a connection of its own. PostgreSQL: LISTEN.
    func waitForJobs(in lanes: [LaneName], atMost limit: Duration) async throws(QueueError)

    /// Puts jobs into the queue: all of them, or none. It adds none where it knows a line of one.
    ///
    /// - Throws: `backlogFull`, `tooLarge`, and what any call can throw.
    func enqueue(_ jobs: [NewJob], options: EnqueueOptions) async throws(QueueError) -> EnqueueResult

    /// Moves at most `limit` scheduled jobs that are due to their lanes. Any worker calls it, at any time: there is no leader,
    /// and each job is moved once.
    ///
    /// - Returns: How many were moved; `limit` means that there may be more.
    func promote(limit: Int) async throws(QueueError) -> Int

    /// Takes tokens of limits that all workers share. Time is the engine's.
    ///
    /// - Returns: As many grants as demands, in their order.
    func take(_ demands: [RateDemand]) async throws(QueueError) -> [RateGrant]

    /// What is dead or scheduled, in pages of at most `limit`; the dead oldest first, the scheduled by their due time.
    func list(_ place: KeptPlace, from page: String?, limit: Int) async throws(QueueError) -> QueuePage<KeptJob>

    /// Feedback, oldest first.
    func feedback(from page: String?, limit: Int) async throws(QueueError) -> QueuePage<FeedbackLine>

    /// Makes kept jobs ready at once. The attempt of a dead job starts at 0 again; its context stays, and it is a new
    /// entry, as one that was enqueued now.
    ///
    /// - Parameter ids: At most 1,000. Those that are not there are left out.
    /// - Returns: How many were moved.
    func retry(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int

    /// Removes kept jobs for good.
    func drop(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int

    /// Removes feedback that was read.
    func dropFeedback(_ ids: [String]) async throws(QueueError) -> Int

    func status() async throws(QueueError) -> QueueStatus

    /// Removes the name of a worker, unless jobs are pending for it: in Redis, XGROUP DELCONSUMER would lose these. The check
    /// and the removal are one step.
    ///
    /// - Returns: Whether the name is gone.
    func remove(_ consumer: ConsumerName) async throws(QueueError) -> Bool

    /// Closes the connections. Calls under way throw `closed`.
    func close() async
}
