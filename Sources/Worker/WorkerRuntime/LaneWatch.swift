import PushQueue

/// The lanes that had no job when they were last asked, and those of them that a wait of the queue watches, so that they need
/// not be asked after each outcome.
struct LaneWatch {
    private var empty: Set<LaneName> = []
    private var watched: Set<LaneName> = []
    private var asksAll = false
    /// How many waits have ended.
    private var ended = 0

    /// What is asked, and how many waits had ended before.
    struct Question {
        var demands: [LaneDemand]
        fileprivate var ended: Int
    }

    /// What to ask. A watched lane is left out: a job in it ends the wait.
    ///
    /// - Parameter isLast: Whether an answer without jobs ends the worker. Then all lanes are asked.
    mutating func question(_ demands: [LaneDemand], isLast: Bool) -> Question {
        guard !demands.isEmpty else { return Question(demands: [], ended: ended) }
        defer { asksAll = false }
        let isWhole = asksAll || isLast
        return Question(demands: isWhole ? demands : demands.filter { !watched.contains($0.lane) }, ended: ended)
    }

    /// It is time to ask all lanes, also for jobs whose leases have ended.
    mutating func askAll() { asksAll = true }

    /// The answer had no job.
    ///
    /// - Returns: Whether there is nothing to ask for before a wait ends. Where one has ended since the question, a job may have
    ///   come behind the answer.
    mutating func wasEmpty(_ question: Question) -> Bool {
        guard question.ended == ended else { return false }
        empty = watched.union(question.demands.map(\.lane))
        return true
    }

    /// A wait begins.
    ///
    /// - Returns: The lanes to wait for; none where all are to be asked first.
    mutating func begin() -> [LaneName] {
        watched = empty
        return watched.sorted()
    }

    /// The wait has ended: any lane may have a job.
    mutating func end() {
        watched = []
        empty = []
        ended += 1
    }
}
