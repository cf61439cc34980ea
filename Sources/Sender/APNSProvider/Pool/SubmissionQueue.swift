import DequeModule

/// Submissions in the order in which they are to be sent. Each knows that it is queued, so that one in the middle is removed
/// in constant time.
struct SubmissionQueue {
    /// Those that were removed stay until they are first or are more than the others.
    private var items: Deque<Submission> = []
    private var removed = 0
    /// Submissions that were looked at so far to remove others.
    private(set) var visited = 0

    var count: Int { items.count - removed }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ submission: Submission) {
        submission.place = .queue
        items.append(submission)
    }

    mutating func prepend(_ submission: Submission) {
        submission.place = .queue
        items.prepend(submission)
    }

    mutating func prepend(contentsOf submissions: [Submission]) {
        for submission in submissions.reversed() { prepend(submission) }
    }

    mutating func popFirst() -> Submission? {
        while let submission = items.popFirst() {
            if submission.isQueued {
                submission.place = .outside
                return submission
            }
            removed -= 1
        }
        return nil
    }

    /// Removes a submission of this queue. It never comes back.
    mutating func remove(_ submission: Submission) {
        submission.place = .outside
        removed += 1
        guard removed > 16, removed > items.count / 2 else { return }
        visited += items.count
        items.removeAll { !$0.isQueued }
        removed = 0
    }

    /// Everything, in order.
    var all: [Submission] { items.filter(\.isQueued) }

    /// Removes and returns everything, in order.
    mutating func removeAll() -> [Submission] {
        var all: [Submission] = []
        all.reserveCapacity(count)
        while let submission = popFirst() { all.append(submission) }
        items = []
        return all
    }
}
