package import PushQueue

/// What a worker has counted since its start.
package struct WorkerCounts: Hashable, Sendable {
    /// `outcome` is that of a send, or `expired`, `superseded`, `dead`. `reason` is empty where there is none.
    package struct Label: Hashable, Sendable {
        package var lane: LaneName
        package var outcome: String
        package var reason: String

        package init(_ lane: LaneName, _ outcome: String, _ reason: String) {
            self.lane = lane
            self.outcome = outcome
            self.reason = reason
        }
    }

    /// Labels beyond this number are counted with the reason `other`: reasons come from outside.
    package static let maximumLabels = 1_000

    package private(set) var pushes: [Label: Int] = [:]
    /// Accepted ones, by the position of their lane: the most frequent, so without a dictionary.
    private var accepted: [Int]
    private let lanes: [LaneName]
    /// Jobs that were delivered before, so that an earlier worker may have sent them.
    package internal(set) var redelivered = 0
    /// Pushes that this worker sent again without knowing the first outcome.
    package internal(set) var resent = 0
    /// Jobs that another worker took over, because the lease ended.
    package internal(set) var lost = 0
    /// Settlements for jobs that were settled before.
    package internal(set) var late = 0
    package internal(set) var settledJobs = 0
    /// From enqueuing to acceptance, by the engine's clock.
    package internal(set) var queueSeconds = BucketCounts(bounds: bounds)
    /// From the sender to its outcome.
    package internal(set) var sendSeconds = BucketCounts(bounds: bounds)

    package static let bounds = [
        0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
    ]

    init(lanes: [LaneName]) {
        self.lanes = lanes
        accepted = lanes.map { _ in 0 }
    }

    mutating func countAccepted(lane: Int) { accepted[lane] += 1 }

    mutating func count(_ lane: Int, _ outcome: String, _ reason: String = "") {
        var label = Label(lanes[lane], outcome, reason)
        if pushes[label] == nil, pushes.count >= WorkerCounts.maximumLabels { label.reason = "other" }
        pushes[label, default: 0] += 1
    }

    /// All labels with their counts, in a fixed order.
    package var sorted: [(label: Label, count: Int)] {
        var all = pushes.map { (label: $0.key, count: $0.value) }
        for (lane, count) in zip(lanes, accepted) where count > 0 { all.append((Label(lane, "accepted", ""), count)) }
        return all.sorted {
            ($0.label.lane, $0.label.outcome, $0.label.reason) < ($1.label.lane, $1.label.outcome, $1.label.reason)
        }
    }

    package func total(of outcome: String) -> Int {
        sorted.reduce(0) { $0 + ($1.label.outcome == outcome ? $1.count : 0) }
    }
}
