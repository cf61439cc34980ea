/// How much of a lane a reservation looks through.
///
/// PostgreSQL steps over each row that was taken or deleted until it is vacuumed, which it cannot be while an old transaction
/// may see it: with 180,000 such rows a reservation takes 20 ms. So while jobs are many, or looking is slow, a reservation
/// begins at the jobs of the one before. What is before them is looked for again after a second, or later where that
/// is slow: jobs of a transaction that was open for long, and jobs whose lease is over.
///
/// A value without I/O: times are arguments, of any clock that does not go back.
struct LaneSearch: Sendable {
    enum Extent: Hashable, Sendable {
        case all
        /// Jobs that were given back, and fresh ones with this id or a later one.
        case from(Int64)
    }

    /// The first of the jobs that the last reservation found.
    private var first = Int64.min
    /// Whether it found as many as were wanted, and those were many.
    private var wasFull = false
    /// When all of the lane was last looked through, and how long that took.
    private var lastAll: (at: Duration, duration: Duration)?

    private static let manyJobs = 32
    /// Looking through all in this time is not worth saving.
    private static let shortDuration = Duration.milliseconds(50)
    /// So that the jobs of a dead worker are taken over within five seconds after the end of their lease.
    private static let longestPause = Duration.seconds(4)

    init() {}

    /// What the next reservation looks through.
    func extent(at now: Duration) -> Extent {
        guard let lastAll else { return .all }
        let pause = now - lastAll.at
        let isDue = pause >= min(max(lastAll.duration * 10, .seconds(1)), LaneSearch.longestPause)
        return isDue || !wasFull && lastAll.duration <= LaneSearch.shortDuration ? .all : .from(first)
    }

    /// Takes what a reservation found.
    ///
    /// - Parameters:
    ///   - fresh: The ids of jobs that nobody had reserved before, in any order.
    ///   - count: The number of all jobs.
    ///   - wanted: The most jobs that it could find.
    ///   - duration: How long the engine took to answer.
    ///   - now: When it had answered.
    mutating func found(
        _ fresh: [Int64], count: Int, of wanted: Int, _ extent: Extent, duration: Duration, at now: Duration
    ) {
        if let least = fresh.min() { first = least }
        wasFull = count >= max(wanted, LaneSearch.manyJobs)
        guard extent == .all else { return }
        // There may be more jobs whose lease is over than one reservation takes, and they are found first.
        lastAll = fresh.count < count && wasFull ? nil : (now, duration)
    }
}

extension LaneSearch.Extent {
    /// For `QueueStatements.reserve`: the id from which on to look, and whether jobs whose lease is over are looked for.
    var parameters: [String] {
        switch self {
        case .all: [String(Int64.min), "true"]
        case .from(let id): [String(id), "false"]
        }
    }
}
