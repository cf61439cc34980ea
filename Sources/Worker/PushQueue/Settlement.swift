/// When a job is due.
package enum DueTime: Hashable, Sendable {
    /// A time by the engine's clock, in milliseconds since 1970.
    case at(milliseconds: Int64)
    /// From the moment in which the engine takes it.
    case after(Duration)
}

/// What leaves the queue for one job, and what follows from it.
///
/// The engine does all of it in one transaction: first what follows, last the acknowledgement. Where the job is no
/// longer pending, because it was settled before, nothing changes. So each job is settled exactly once.
package struct Settlement: Hashable, Sendable {
    package var job: JobID
    /// Lines of JSON for `{prefix}:feedback`, one an entry. Engines store them unchanged.
    package var feedback: [String] = []
    package var dead: [DeadContent] = []
    package var later: [LaterContent] = []
    /// Jobs that are ready again at once, behind all others of their lane.
    package var again: [JobContent] = []
    /// Lines of JSON for `{prefix}:results`, one an entry.
    package var results: [String] = []

    package init(_ job: JobID) { self.job = job }

    /// Whether nothing follows from it.
    package var isEmpty: Bool {
        feedback.isEmpty && dead.isEmpty && later.isEmpty && again.isEmpty && results.isEmpty
    }
}

/// A job that is not sent any more, with the reason.
package struct DeadContent: Hashable, Sendable {
    /// One envelope, as it came.
    package var content: JobContent
    /// A word for programs, such as `PayloadTooLarge` or `invalid-notification`.
    package var reason: String
    /// A sentence for people.
    package var why: String

    package init(_ content: JobContent, reason: String, why: String) {
        self.content = content
        self.reason = reason
        self.why = why
    }
}

/// A job that is sent at another time, with the reason.
package struct LaterContent: Hashable, Sendable {
    package var content: JobContent
    package var due: DueTime
    package var reason: String
    package var why: String

    package init(_ content: JobContent, due: DueTime, reason: String, why: String) {
        self.content = content
        self.due = due
        self.reason = reason
        self.why = why
    }
}

/// What became of a settlement.
package enum SettlementResult: Hashable, Sendable {
    case settled
    /// The job was not pending: it was settled before, perhaps by this very call when its answer was lost. Nothing was
    /// written.
    case notPending
}
