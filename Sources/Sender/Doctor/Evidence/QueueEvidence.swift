/// What is known about the engine of a queue.
package struct QueueEvidence: Equatable, Sendable {
    package enum Engine: String, Hashable, Sendable {
        case redis = "Redis"
        case postgresql = "PostgreSQL"
    }

    package var engine: Engine
    /// Host, port and database, without user and password.
    package var address: String
    /// Why it cannot be used; nil where it answered.
    package var failure: String?
    package var server: Observation<QueueServer>
    package var persistence: Observation<QueuePersistence>
    package var memory: Observation<QueueMemory>
    package var backlog: Observation<QueueBacklog>

    package init(engine: Engine, address: String, failure: String? = nil) {
        self.engine = engine
        self.address = address
        self.failure = failure
        let why = failure.map { _ in "the queue could not be reached" } ?? "the engine did not say it"
        server = .unseen(why)
        persistence = .unseen(why)
        memory = .unseen(why)
        backlog = .unseen(why)
    }
}

package struct QueueServer: Hashable, Sendable {
    /// As the engine says it, such as `7.0.15`.
    package var version: String
    /// False for a replica or a standby, and where a setting of PostgreSQL makes it read-only for this role.
    package var takesWrites: Bool
    /// Whether it is one node of a Redis cluster.
    package var isCluster: Bool
    /// Whether it is a sentinel, which watches servers and keeps no data.
    package var isSentinel: Bool

    package init(version: String, takesWrites: Bool = true, isCluster: Bool = false, isSentinel: Bool = false) {
        self.version = version
        self.takesWrites = takesWrites
        self.isCluster = isCluster
        self.isSentinel = isSentinel
    }
}

package enum QueuePersistence: Hashable, Sendable {
    /// - Parameter fsync: `always`, `everysec` or `no`; nil where the engine does not say it.
    case appendOnlyFile(fsync: String?)
    case snapshots
    case none
    /// The last write of the file failed.
    case failing(String)
    /// - Parameter settings: Those of fsync, full_page_writes and synchronous_commit that are off.
    case writeAheadLog(off: [String])
}

package struct QueueMemory: Hashable, Sendable {
    /// Such as `noeviction`.
    package var policy: String
    /// In bytes; 0 means no limit.
    package var limit: Int64
    package var used: Int64

    package init(policy: String, limit: Int64, used: Int64) {
        self.policy = policy
        self.limit = limit
        self.used = used
    }
}

package struct QueueBacklog: Hashable, Sendable {
    package var backlog: Int
    package var pending: Int
    package var dead: Int
    /// The age of the oldest job in seconds; nil without a job.
    package var oldest: Int64?
    /// What keeps workers from the queue although its engine answers, such as a missing table or right; what is counted is then
    /// not all.
    package var problems: [String]
    /// A sentence for each lane in which jobs wait and that no worker reads.
    package var unreadLanes: [String]

    package init(
        backlog: Int, pending: Int, dead: Int, oldest: Int64?, problems: [String] = [], unreadLanes: [String] = []
    ) {
        self.backlog = backlog
        self.pending = pending
        self.dead = dead
        self.oldest = oldest
        self.problems = problems
        self.unreadLanes = unreadLanes
    }
}
