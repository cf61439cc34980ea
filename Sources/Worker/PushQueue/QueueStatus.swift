/// What a queue holds, at one moment.
package struct QueueStatus: Hashable, Sendable {
    package struct Lane: Hashable, Sendable {
        package var name: LaneName
        /// Jobs that nobody has reserved, or that were given back. In Redis XLEN minus what is pending, plus what was given back,
        /// summed over the shards.
        package var backlog: Int
        /// Jobs that are reserved and not settled.
        package var pending: Int
        /// The age of the oldest job that is not settled, by the engine's clock; nil when there is none. A scheduled job that is
        /// due counts from then on; engines look at the one that is due first.
        package var oldest: Duration?
        /// Since a worker that the engine remembers last asked for jobs of this lane, or announced it. Nil where none has, as for
        /// a misspelt lane. Redis before 7.2 notes what was asked for only where the lane had a job.
        package var lastRead: Duration?
        /// Streams of the lane that have jobs and that no worker reads. Redis: their numbers are not below the `shards` of the workers.
        package var unreadStreams: [Stream] = []
        /// How many of `backlog` and `pending` are in streams that this client does not read.
        package var elsewhere = 0

        package init(
            _ name: LaneName, backlog: Int, pending: Int, oldest: Duration?, lastRead: Duration? = nil
        ) {
            self.name = name
            self.backlog = backlog
            self.pending = pending
            self.oldest = oldest
            self.lastRead = lastRead
        }

        /// Jobs that are not settled, in the streams that this client reads.
        package var unsettled: Int { backlog + pending - elsewhere }

        /// Whether jobs wait and no worker reads the lane.
        package var isUnread: Bool { backlog > 0 && lastRead.map { $0 > QueueStatus.longestUnread } ?? true }
    }

    /// A part of a lane, which the engine keeps under a name of its own.
    package struct Stream: Hashable, Sendable {
        package var name: String
        package var backlog: Int

        package init(_ name: String, backlog: Int) {
            self.name = name
            self.backlog = backlog
        }
    }

    package struct Consumer: Hashable, Sendable {
        package var name: ConsumerName
        package var pending: Int
        /// Since it last did anything with the queue.
        package var idle: Duration

        package init(_ name: ConsumerName, pending: Int, idle: Duration) {
            self.name = name
            self.pending = pending
            self.idle = idle
        }
    }

    /// Every lane that the engine has, whether or not a worker reads it, by name.
    package var lanes: [Lane]
    package var consumers: [Consumer]
    package var later: Int
    package var dead: Int
    package var feedback: Int
    /// The engine's clock, in milliseconds since 1970.
    package var time: Int64
    /// For people, such as `Redis 7.0.15`.
    package var engine: String
    /// What an operator has to know: the memory policy evicts keys, nothing is persisted, a stranger trimmed a stream. Sentences.
    package var warnings: [String]
    /// Those of the warnings that say which key has the data of another program.
    package var foreign: [String] = []

    package init(
        lanes: [Lane] = [], consumers: [Consumer] = [], later: Int = 0, dead: Int = 0, feedback: Int = 0,
        time: Int64, engine: String, warnings: [String] = []
    ) {
        self.lanes = lanes
        self.consumers = consumers
        self.later = later
        self.dead = dead
        self.feedback = feedback
        self.time = time
        self.engine = engine
        self.warnings = warnings
    }

    /// After this time a lane with jobs that no worker asked for is reported.
    package static let longestUnread = Duration.seconds(300)

    /// A sentence for each stream in which jobs wait and that no worker reads, although workers read its lane. It has no number
    /// that grows, so that a worker says it once.
    package var unreadStreams: [String] {
        lanes.filter { !$0.isUnread }.flatMap(\.unreadStreams).map { stream in
            "jobs wait in \(stream.name), which no worker reads: shards= in a URL of the queue differs, "
                + "a producer writes to a wrong number, or the server was full when workers started"
        }
    }

    /// A sentence for each lane, and each stream of a lane, in which jobs wait and that no worker reads. They are not part of
    /// `warnings`, because before workers start they are expected.
    package var unreadLanes: [String] {
        let read = lanes.filter { lane in lane.lastRead.map { $0 <= QueueStatus.longestUnread } ?? false }
        let others = read.isEmpty ? "" : "; workers read \(read.map(\.name.text).joined(separator: ", "))"
        let sentences = lanes.filter(\.isUnread).map { lane in
            let since = lane.lastRead == nil ? "no worker reads" : "no worker has read in the last five minutes"
            return "\(lane.backlog) jobs wait in the lane \(lane.name), which \(since)\(others)"
        }
        return sentences + unreadStreams
    }

    /// Notes a scheduled job that is due.
    ///
    /// - Parameter since: When it was due, or when it was scheduled if that was later, by the engine's clock, in milliseconds
    ///   since 1970.
    package mutating func noteOverdue(in name: LaneName, since: Int64) {
        let age = Duration.milliseconds(max(0, time - max(0, since)))
        if let index = lanes.firstIndex(where: { $0.name == name }) {
            lanes[index].oldest = max(lanes[index].oldest ?? .zero, age)
        } else {
            lanes.append(Lane(name, backlog: 0, pending: 0, oldest: age))
            lanes.sort { $0.name < $1.name }
        }
    }

    package var backlog: Int { lanes.reduce(0) { $0 + $1.backlog } }
    package var pending: Int { lanes.reduce(0) { $0 + $1.pending } }
    package var oldest: Duration? { lanes.compactMap(\.oldest).max() }
}
