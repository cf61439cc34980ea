import Foundation
import MemoryQueue
import PushQueue
import TestSupport
import Testing
import WorkerCore

@testable import apns

@Suite struct BatchEnqueuerTests {
    private struct Outcome {
        var counts: BatchEnqueuer.Counts
        var error: CommandError?
    }

    private let queue = MemoryQueue(now: { 0 }, sleep: { _ in })

    private static func envelope(_ alert: String) -> String {
        alert == "bad" ? "{" : #"{"token":"ab12","payload":{"aps":{"alert":"\#(alert)"}}}"#
    }

    /// Enqueues a file with an envelope for each alert.
    private func enqueue(
        _ alerts: [String], chunk: Int = 1, id: String? = "fix", maximumBacklog: Int? = nil,
        stopsAtBadLine: Bool = false
    ) async throws -> Outcome {
        let queue = queue
        return try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("batch.ndjson")
            try Data(alerts.map(BatchEnqueuerTests.envelope).joined(separator: "\n").utf8).write(to: file)
            let reader = LineReader(try InputFile(path: file.path))
            let options = BatchEnqueuer.Options(lane: .normal, chunk: chunk, id: id, maximumBacklog: maximumBacklog)
            let stop = StopSignal()
            var enqueuer = BatchEnqueuer(queue, options) { _ in
                if stopsAtBadLine { stop.stop() }
            }
            var failure: CommandError?
            do throws(CommandError) {
                try await enqueuer.add(reader, until: stop)
            } catch {
                failure = error
            }
            return Outcome(counts: enqueuer.counts, error: failure)
        }
    }

    /// The bodies of all jobs that were not reserved.
    private func bodies() async throws -> [String] {
        let name = try #require(ConsumerName("worker"))
        let jobs = try await queue.reserve([LaneDemand(.normal, jobs: 100_000)], lease: .seconds(600), as: name).jobs
        return jobs.map { String(decoding: $0.content.body, as: UTF8.self) }
    }

    private func lines() async throws -> [String] {
        try await bodies().flatMap { $0.split(separator: "\n").map(String.init) }
    }

    private func numbered(_ range: ClosedRange<Int>) -> [String] { range.map { "b\($0)" } }

    @Test(arguments: [1, 2, 3, 100], [1, 2, 100])
    func `with an id, a corrected line is added, and no other one again`(first: Int, second: Int) async throws {
        let before = try await enqueue(["a1", "a2", "bad", "a4", "a5"], chunk: first)
        #expect(before.counts.envelopes == 4 && before.counts.bad == 1)
        let after = try await enqueue(["a1", "a2", "a3", "a4", "a5"], chunk: second)
        #expect(after.counts == BatchEnqueuer.Counts(envelopes: 5, jobs: 1, duplicates: 4, bad: 0))
        #expect(after.error == nil)
        let found = try await lines()
        #expect(found == ["a1", "a2", "a4", "a5", "a3"].map(BatchEnqueuerTests.envelope))
    }

    @Test func `with an id, appended lines are added, with another chunk too`() async throws {
        _ = try await enqueue(numbered(1...2), chunk: 100)
        let more = try await enqueue(numbered(1...3), chunk: 100)
        #expect(more.counts == BatchEnqueuer.Counts(envelopes: 3, jobs: 1, duplicates: 2, bad: 0))
        let many = try await enqueue(numbered(1...2_500), chunk: 7)
        #expect(many.counts.envelopes == 2_500 && many.counts.duplicates == 3)
        let again = try await enqueue(numbered(1...2_500), chunk: 100)
        #expect(again.counts == BatchEnqueuer.Counts(envelopes: 2_500, jobs: 0, duplicates: 2_500, bad: 0))
        let found = try await lines()
        #expect(found == numbered(1...2_500).map(BatchEnqueuerTests.envelope))
    }

    @Test func `with an id, two at the same time add each line once`() async throws {
        let alerts = numbered(1...3_000)
        async let first = enqueue(alerts, chunk: 3)
        async let second = enqueue(alerts, chunk: 10)
        let (one, other) = (try await first, try await second)
        #expect(one.counts.envelopes == 3_000 && other.counts.envelopes == 3_000)
        #expect(one.counts.duplicates + other.counts.duplicates == 3_000)
        let found = try await lines()
        #expect(found.sorted() == alerts.map(BatchEnqueuerTests.envelope).sorted())
    }

    @Test func `with an id, another line under the same number is an error that names it`() async throws {
        _ = try await enqueue(["a1", "a2", "bad", "a4"])
        let inserted = try await enqueue(["a1", "new", "a2", "a3", "a4"], chunk: 10)
        #expect(inserted.counts == BatchEnqueuer.Counts(envelopes: 1, jobs: 0, duplicates: 1, bad: 0))
        let error = try #require(inserted.error)
        #expect(error.status == .no)
        #expect(error.message.contains("batch.ndjson:2: another line 2 was enqueued with the id fix"), "\(error)")
        // What comes before such a line is added.
        let changed = try await enqueue(["a1", "a2", "a3", "changed"], chunk: 10)
        #expect(changed.counts == BatchEnqueuer.Counts(envelopes: 3, jobs: 1, duplicates: 2, bad: 0))
        #expect(changed.error?.message.contains("nothing was enqueued from line 4 on") == true)
        let found = try await lines()
        #expect(found == ["a1", "a2", "a4", "a3"].map(BatchEnqueuerTests.envelope))
    }

    @Test func `a full lane takes what fits, and the error says with which line to go on`() async throws {
        let alerts = numbered(1...250)
        let full = try await enqueue(alerts, id: nil, maximumBacklog: 130)
        #expect(full.counts == BatchEnqueuer.Counts(envelopes: 130, jobs: 130, duplicates: 0, bad: 0))
        let error = try #require(full.error)
        #expect(error.status == .no)
        #expect(error.message.contains("nothing was enqueued from line 131 on"), "\(error)")
        #expect(error.message.contains("tail -n +131 "), "\(error)")
        let none = try await enqueue(alerts, id: nil, maximumBacklog: 130)
        #expect(none.counts.envelopes == 0)
        #expect(none.error?.message.hasSuffix("nothing was enqueued; run the same command again") == true)
        let found = try await lines()
        #expect(found == numbered(1...130).map(BatchEnqueuerTests.envelope))
    }

    @Test func `with an id, the same command goes on after a full lane`() async throws {
        let full = try await enqueue(numbered(1...250), maximumBacklog: 130)
        #expect(full.error?.message.contains("run the same command again") == true)
        var found = try await lines()
        let rest = try await enqueue(numbered(1...250), maximumBacklog: 130)
        #expect(rest.counts == BatchEnqueuer.Counts(envelopes: 250, jobs: 120, duplicates: 130, bad: 0))
        found += try await lines()
        #expect(found == numbered(1...250).map(BatchEnqueuerTests.envelope))
    }

    @Test func `without an id, a lost answer says which lines may be in the queue`() async throws {
        queue.inject([.loseAnswer], into: .enqueue)
        let lost = try await enqueue(["a1", "bad", "a3"], id: nil)
        #expect(lost.error?.message.contains("lines 1 to 3 of") == true, "\(String(describing: lost.error))")
        queue.inject([.loseAnswer], into: .enqueue)
        let other = try await enqueue(["b1", "b2"])
        #expect(other.error?.message.contains("run the same command again") == true)
        _ = try await enqueue(["b1", "b2"])
        let found = try await lines()
        #expect(found == ["a1", "a3", "b1", "b2"].map(BatchEnqueuerTests.envelope))
    }

    @Test func `a signal ends it between two calls, and the error says with which line to go on`() async throws {
        let alerts = numbered(1...150) + ["bad"] + numbered(152...160)
        let stopped = try await enqueue(alerts, id: nil, stopsAtBadLine: true)
        #expect(stopped.counts == BatchEnqueuer.Counts(envelopes: 100, jobs: 100, duplicates: 0, bad: 1))
        let error = try #require(stopped.error)
        #expect(error.status == .no)
        #expect(error.message.hasPrefix("interrupted; nothing was enqueued from line 101 on. Enqueue"), "\(error)")
        #expect(error.message.contains("tail -n +101 "), "\(error)")
        #expect(try await lines() == numbered(1...100).map(BatchEnqueuerTests.envelope))
        let none = try await enqueue(["bad", "b2"], id: nil, stopsAtBadLine: true)
        #expect(none.error?.message == "interrupted; nothing was enqueued; run the same command again")
    }

    @Test(arguments: [[], ["bad"]]) func `a batch without a line to enqueue reaches the queue too`(
        _ alerts: [String]
    ) async throws {
        let reached = try await enqueue(alerts)
        #expect(reached.error == nil && reached.counts.envelopes == 0)
        let away = QueueError(.unreachable, "the connection is refused", isTemporary: true)
        let notAllowed = QueueError(.notAllowed, "the user has no right to it", isTemporary: false)
        queue.inject([.fail(away), .fail(notAllowed)], into: .prepare)
        let lost = try await enqueue(alerts)
        #expect(lost.error?.status == .failed)
        #expect(lost.error?.message == "the queue: the connection is refused; nothing was enqueued")
        #expect(try await enqueue(alerts).error == nil, "a producer needs fewer rights than a worker")
    }

    @Test func `a batch with a line needs no other call`() async throws {
        #expect(try await enqueue(["a1"]).error == nil)
        #expect(queue.count(of: .prepare) == 0)
    }

    @Test func `the counts for people name one and many`() {
        let one = BatchEnqueuer.Counts(envelopes: 1, jobs: 1, duplicates: 1, bad: 1)
        #expect(one.text == "1 envelope: 1 job enqueued, 1 envelope was there already; 1 bad line was left out")
        let many = BatchEnqueuer.Counts(envelopes: 0, jobs: 0, duplicates: 2, bad: 2)
        #expect(many.text == "0 envelopes: 0 jobs enqueued, 2 envelopes were there already; 2 bad lines were left out")
        #expect(BatchEnqueuer.Counts(envelopes: 2, jobs: 1).text == "2 envelopes: 1 job enqueued")
    }

    @Test(arguments: [nil, "fix"]) func `a job has no more bytes than a worker reads`(id: String?) async throws {
        let alerts = (1...7).map { String(repeating: "\($0)", count: 400_000) }
        let outcome = try await enqueue(alerts, chunk: 100, id: id)
        #expect(outcome.counts == BatchEnqueuer.Counts(envelopes: 7, jobs: 4, duplicates: 0, bad: 0))
        let found = try await bodies()
        #expect(found.allSatisfy { $0.utf8.count <= JobReader.maximumBytes })
        #expect(found.joined(separator: "\n") == alerts.map(BatchEnqueuerTests.envelope).joined(separator: "\n"))
    }
}
