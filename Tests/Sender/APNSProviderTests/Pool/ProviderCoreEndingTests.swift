import APNSModel
import TestSeeds
import Testing

@testable import APNSProvider

/// Deadlines, cancellation and the end of the provider, and what they cost.
struct ProviderCoreEndingTests {
    typealias Core = ProviderCore

    /// A core with a connection that takes streams without an end, and its submissions.
    private struct Bench {
        var core = Core(
            limits: Core.Limits(),
            reconnection: ReconnectionPolicy(first: .seconds(1), longest: .seconds(60), seed: 1))
        var now = MonotonicTime.zero
        var submissions: [Submission] = []
        var resolved: [Core.Resolution] = []
        var actions: [Core.Action] = []
        private var slot = 0

        mutating func submit(timeout: Duration = .seconds(30), in group: SubmissionGroup? = nil) {
            let submission = Submission(submissions.count, submitted: now, deadline: now + timeout)
            submissions.append(submission)
            if let group { core.submit(submission, in: group) } else { core.submit(submission) }
        }

        mutating func connect() {
            core.plan(at: now, actions: &actions, resolved: &resolved)
            core.opened(connection: 0, at: now)
            core.streamLimit(connection: 0, .max)
        }

        /// Writes `count` submissions, at most as many as are queued.
        mutating func write(_ count: Int) {
            core.fill(0, atMost: count, at: now, tokenNumber: 0, resolved: &resolved) { _ in
                slot += 1
                return .stream(slot - 1)
            }
        }

        mutating func cancel(_ submission: Submission) {
            if let resolution = core.cancel(submission, actions: &actions) { resolved.append(resolution) }
        }

        mutating func expire() { core.expire(at: now, actions: &actions, resolved: &resolved) }

        func count(_ name: String) -> Int { resolved.count { $0.outcome.name == name } }
    }

    // MARK: What was ended

    @Test func `the queued submissions of one bulk send are cancelled alone`() {
        var bench = Bench()
        let (first, second) = (SubmissionGroup(), SubmissionGroup())
        for group in [first, second, first, second, first] { bench.submit(in: group) }
        bench.submit()
        bench.connect()
        bench.write(1)
        bench.resolved += bench.core.cancelQueued(of: first)
        #expect(bench.resolved.map(\.submission.number) == [2, 4])
        #expect(bench.resolved.allSatisfy { $0.outcome == .unsent(.stopped) })
        #expect(bench.core.queued == 3 && bench.core.underWay == 1)
        #expect(bench.core.cancelQueued(of: first).isEmpty)
    }

    @Test func `each submission of a bulk send ends at its own deadline`() {
        var bench = Bench()
        let group = SubmissionGroup()
        for second in 0..<10 {
            bench.now = .zero + .seconds(second)
            bench.submit(in: group)
        }
        bench.connect()
        bench.write(5)
        for second in 0..<10 {
            bench.now = .zero + .seconds(30 + second) + .nanoseconds(-1)
            bench.expire()
            #expect(bench.resolved.count == second)
            bench.now = bench.now + .nanoseconds(1)
            bench.expire()
            #expect(bench.resolved.last?.submission.number == second)
            #expect(bench.resolved.last?.outcome.name == (second < 5 ? "unknown" : "unsent"))
        }
        // And those that come after the group was empty.
        bench.submit(in: group)
        bench.now = bench.now + .seconds(30)
        bench.expire()
        #expect(bench.resolved.count == 11)
    }

    @Test(arguments: TestSeed.all(1...20))
    func `a submission ends at the first look after its deadline, and not before`(seed: TestSeed) {
        var generator = seed.generator
        var bench = Bench()
        bench.now = .zero + .milliseconds(Int64.random(in: 0...10_000_000, using: &generator))
        let group = SubmissionGroup()
        var ended: Set<Int> = []
        for _ in 0..<500 {
            let longest = [10, 1000, 200_000].randomElement(using: &generator)!
            bench.submit(timeout: .milliseconds(Int.random(in: 0...longest, using: &generator)))
            bench.submit(timeout: .seconds(7), in: group)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                bench.cancel(bench.submissions.randomElement(using: &generator)!)
            }
            for resolution in bench.resolved { ended.insert(resolution.submission.number) }
            bench.resolved = []
            bench.now = bench.now + .microseconds(Int64.random(in: 0...200_000, using: &generator))
            let due = bench.submissions.filter { $0.deadline <= bench.now }.map(\.number)
            bench.expire()
            #expect(Set(bench.resolved.map(\.submission.number)) == Set(due).subtracting(ended))
        }
    }

    @Test func `at the limit of closing, what was sent is unknown and the rest unsent`() {
        var bench = Bench()
        for _ in 0..<4 { bench.submit() }
        bench.connect()
        bench.write(3)
        bench.core.head(connection: 0, slot: 2, ResponseHead(status: 410))
        bench.resolved += bench.core.close()
        bench.core.endInFlight(resolved: &bench.resolved) { _, slot in slot == 0 }
        #expect(bench.resolved.map(\.submission.number) == [3, 0, 1, 2])
        #expect(bench.resolved.map(\.outcome.name) == ["unsent", "unknown", "unsent", "refused"])
        #expect(bench.core.underWay == 0)
    }

    @Test func `a stream that is refused after closing is unsent, and not written again`() {
        var bench = Bench()
        bench.submit()
        bench.connect()
        bench.write(1)
        bench.resolved += bench.core.close()
        let resolution = bench.core.closed(connection: 0, slot: 0, isRefused: true, description: "", at: bench.now)
        #expect(resolution == nil)
        bench.core.plan(at: bench.now, actions: &bench.actions, resolved: &bench.resolved)
        #expect(bench.resolved.map(\.outcome) == [.unsent(.closedProvider)])
        #expect(bench.core.queued == 0)
    }

    // MARK: What it costs

    @Test(arguments: [0, 50_000, 100_000])
    func `cancelling 100,000 submissions looks at each a few times`(written: Int) {
        let count = 100_000
        var bench = Bench()
        for _ in 0..<count { bench.submit() }
        bench.connect()
        bench.write(written)
        var generator = SeededGenerator(seed: 1)
        for submission in bench.submissions.shuffled(using: &generator) { bench.cancel(submission) }
        #expect(bench.count("unsent") == count - written && bench.count("unknown") == written)
        #expect(bench.core.visited <= 2 * count)
    }

    @Test(arguments: [false, true])
    func `submissions that wait cost nothing until their deadlines`(isBulk: Bool) {
        let count = 20_000
        var bench = Bench()
        let group = SubmissionGroup()
        for _ in 0..<count {
            bench.now = bench.now + .milliseconds(1)
            bench.submit(in: isBulk ? group : nil)
        }
        bench.connect()
        bench.write(count / 2)
        while bench.resolved.count < count {
            bench.now = bench.now + .milliseconds(20)
            bench.expire()
        }
        #expect(bench.now <= .zero + .seconds(51))
        #expect(bench.core.visited <= 5 * count)
    }

    @Test func `stopping a bulk send looks at its own submissions only`() {
        var bench = Bench()
        let groups = (0..<1000).map { _ in SubmissionGroup() }
        for _ in 0..<50 { for group in groups { bench.submit(in: group) } }
        for group in groups { #expect(bench.core.cancelQueued(of: group).count == 50) }
        #expect(bench.core.visited <= 2 * 50_000)
    }
}
