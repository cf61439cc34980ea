import PushQueue

/// One thing that every engine has to do. An engine passes the suite when `run` throws for none of `JobQueueCheck.all`:
///
/// ```swift
/// @Test(arguments: JobQueueCheck.all) func `passes the suite of all engines`(_ check: JobQueueCheck) async throws {
///     try await withRedisQueue { try await check.run($0) }
/// }
/// ```
package struct JobQueueCheck: Sendable, CustomStringConvertible {
    /// A sentence about the queue.
    package let name: String
    private let body: @Sendable (JobQueueUnderTest) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (JobQueueUnderTest) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Prepares the queue and checks it. It is empty before, and nobody uses it afterwards.
    package func run(_ test: JobQueueUnderTest) async throws {
        try await test.queue.prepare(JobQueueUnderTest.lanes)
        try await body(test)
    }

    /// In the order of what they build on.
    package static let all = reserving + settling + leases + enqueuing + keeping + sharing
}
