package import PushQueue

/// A queue that nobody else uses, for one check.
package struct JobQueueUnderTest: Sendable {
    package var queue: any JobQueue
    /// Another client of the same queue, as another worker is.
    package var other: any JobQueue
    /// Lets this much time pass on the engine's clock.
    package var pass: @Sendable (Duration) async throws -> Void

    package init(
        queue: any JobQueue, other: any JobQueue, pass: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.queue = queue
        self.other = other
        self.pass = pass
    }

    static let lanes: [LaneName] = [.high, .normal, .bulk]
    static let a = ConsumerName("worker-a")!
    static let b = ConsumerName("worker-b")!
    /// Longer than any check takes.
    static let long = Duration.seconds(600)
    /// A lease that ends within a check.
    static let short = Duration.milliseconds(50)

    func enqueue(_ contents: [JobContent]) async throws {
        _ = try await queue.enqueue(contents.map { NewJob($0) }, options: EnqueueOptions())
    }

    func enqueue(_ count: Int, in lane: LaneName = .normal) async throws {
        try await enqueue((0..<count).map { JobContent(lane: lane, body: Array("job \($0)".utf8)) })
    }

    func reserve(
        _ count: Int = 100, of lane: LaneName = .normal, lease: Duration = long, as consumer: ConsumerName = a
    ) async throws -> [Job] {
        try await queue.reserve([LaneDemand(lane, jobs: count)], lease: lease, as: consumer).jobs
    }

    func settle(_ settlements: [Settlement]) async throws -> [SettlementResult] {
        try await queue.settle(settlements, resultsKept: 1000)
    }

    func all(_ place: KeptPlace) async throws -> [KeptJob] {
        try await queue.list(place, from: nil, limit: 1000).elements
    }
}

/// What an engine did otherwise than `JobQueue` says.
package struct JobQueueMismatch: Error, CustomStringConvertible {
    package let description: String
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(JobQueueMismatch) {
    if !condition { throw JobQueueMismatch(description: text()) }
}

func require<Value: Equatable>(
    _ value: Value, is wanted: Value, _ what: @autoclosure () -> String
) throws(JobQueueMismatch) {
    if value != wanted { throw JobQueueMismatch(description: "\(what()) is \(value) and should be \(wanted)") }
}
