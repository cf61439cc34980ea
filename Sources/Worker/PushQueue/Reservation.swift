/// How many jobs a worker wants from a lane.
package struct LaneDemand: Hashable, Sendable {
    package var lane: LaneName
    /// At least 1.
    package var jobs: Int

    package init(_ lane: LaneName, jobs: Int) {
        self.lane = lane
        self.jobs = jobs
    }
}

/// What a worker got.
package struct Reservation: Hashable, Sendable {
    /// At most as many of each lane as were asked for, the oldest first.
    package var jobs: [Job]
    /// The engine's clock when it gave them, in milliseconds since 1970. Ages are computed from it and never from the
    /// worker's clock, because the two may differ.
    package var time: Int64

    package init(jobs: [Job], time: Int64) {
        self.jobs = jobs
        self.time = time
    }
}
