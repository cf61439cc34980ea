import APNSModel
import Testing

@testable import APNSProvider

struct ProviderCoreTests {
    typealias Core = ProviderCore

    /// A core with its surroundings: what the shell would do is done by hand.
    struct Bench {
        var core: Core
        var now = MonotonicTime.zero
        var resolved: [Core.Resolution] = []
        var actions: [Core.Action] = []
        private var nextSlot: [Int: Int] = [:]

        init(connections: Int = 1, connectAttempts: Int = 5) {
            core = Core(
                limits: Core.Limits(connections: connections, connectAttempts: connectAttempts),
                backOff: BackOff(first: .seconds(1), longest: .seconds(60), seed: 1))
        }

        mutating func submit(_ ticket: Int, timeout: Duration = .seconds(30)) {
            core.submit(submission(ticket, now + timeout))
        }

        private func submission(_ ticket: Int, _ deadline: MonotonicTime) -> Submission {
            Submission(
                id: UInt64(ticket),
                notification: APNSNotification(
                    to: DeviceToken("ab12")!, topic: Topic("com.example.app")!, pushType: .alert, payload: []),
                recipient: .single(Caller(id: UInt64(ticket))), submitted: now, deadline: deadline)
        }

        mutating func plan() -> [Core.Action] {
            core.plan(at: now, actions: &actions, resolved: &resolved)
            defer { actions = [] }
            return actions
        }

        mutating func expire() -> [Core.Action] {
            core.expire(at: now, actions: &actions, resolved: &resolved)
            defer { actions = [] }
            return actions
        }

        /// Opens what the plan asks for, and sets the stream limit.
        mutating func connect(streamLimit: Int = 1000) {
            for case .open(let connection) in plan() {
                core.opened(connection: connection, at: now)
                core.streamLimit(connection: connection, streamLimit)
            }
        }

        /// Writes all that `connection` takes; the tickets with their slots.
        @discardableResult
        mutating func fill(_ connection: Int = 0) -> [(ticket: Int, slot: Int)] {
            var written: [(Int, Int)] = []
            while let submission = core.next(on: connection, at: now, resolved: &resolved) {
                let slot = nextSlot[connection, default: 0]
                nextSlot[connection] = slot + 1
                core.started(submission, on: connection, slot: slot)
                written.append((submission.ticketNumber, slot))
            }
            return written
        }

        mutating func answer(_ slot: Int, status: Int = 200, connection: Int = 0) {
            core.head(connection: connection, slot: slot, ResponseHead(status: status, apnsID: "ID"))
            if let resolution = core.answered(connection: connection, slot: slot) { resolved.append(resolution) }
            close(slot, connection: connection)
        }

        mutating func close(_ slot: Int, isRefused: Bool = false, connection: Int = 0) {
            if let resolution = core.closed(
                connection: connection, slot: slot, isRefused: isRefused, description: "CANCEL", at: now)
            {
                resolved.append(resolution)
            }
        }

        mutating func lose(
            _ connection: Int = 0, isPermanent: Bool = false, wasSent: (Int) -> Bool = { _ in true }
        ) {
            core.lost(
                connection: connection, description: "connection reset", isPermanent: isPermanent, at: now,
                resolved: &resolved,
                wasSent: wasSent)
        }

        /// Ticket and outcome word of everything resolved so far.
        var outcomes: [Int: String] {
            Dictionary(uniqueKeysWithValues: resolved.map { ($0.submission.ticketNumber, $0.outcome.name) })
        }
    }

    @Test func `a connection is opened only when something waits`() {
        var bench = Bench()
        #expect(bench.plan().isEmpty)
        bench.submit(1)
        #expect(bench.plan() == [.open(connection: 0)])
        #expect(bench.plan().isEmpty)
    }

    @Test func `before the gateway has said how many streams it takes, one is opened`() {
        var bench = Bench()
        for ticket in 1...3 { bench.submit(ticket) }
        _ = bench.plan()
        bench.core.opened(connection: 0, at: bench.now)
        #expect(bench.fill().map(\.ticket) == [1])
    }

    @Test func `the stream limit is followed up and down`() {
        var bench = Bench()
        for ticket in 1...10_000 { bench.submit(ticket) }
        bench.connect(streamLimit: 1)
        #expect(bench.fill().count == 1)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 999)
        bench.core.streamLimit(connection: 0, 1)
        for slot in 0..<999 {
            bench.answer(slot)
            #expect(bench.fill().isEmpty)
        }
        bench.answer(999)
        #expect(bench.fill().count == 1)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 999)
    }

    @Test func `a refused stream is sent again, first in line, and counted`() throws {
        var bench = Bench()
        for ticket in 1...3 { bench.submit(ticket) }
        bench.connect()
        bench.fill()
        bench.close(1, isRefused: true)
        #expect(bench.resolved.isEmpty)
        bench.answer(0)
        #expect(bench.fill().map(\.ticket) == [2])
        bench.answer(3)
        #expect(try #require(bench.resolved.last).submission.attempts == 2)
    }

    @Test func `a gateway that refuses everything is asked again only after a pause`() {
        var bench = Bench()
        bench.submit(1)
        bench.connect()
        bench.fill()
        bench.close(0, isRefused: true)
        #expect(bench.fill().isEmpty)
        bench.now = bench.now + .milliseconds(100)
        #expect(bench.fill().map(\.ticket) == [1])
    }

    @Test func `a stream that ends without an answer is unknown and never sent again`() {
        var bench = Bench()
        bench.submit(1)
        bench.connect()
        bench.fill()
        bench.close(0)
        #expect(bench.outcomes == [1: "unknown"])
        #expect(bench.fill().isEmpty)
    }

    @Test func `when a connection breaks, what was sent is unknown and the rest goes out again in order`() {
        var bench = Bench()
        for ticket in 1...6 { bench.submit(ticket) }
        bench.connect(streamLimit: 5)
        bench.fill()
        bench.core.head(connection: 0, slot: 0, ResponseHead(status: 410))
        bench.lose { slot in slot < 3 }
        #expect(bench.outcomes == [1: "refused", 2: "unknown", 3: "unknown"])
        bench.now = bench.now + .seconds(1)
        bench.connect()
        #expect(bench.fill().map(\.ticket) == [4, 5, 6])
    }

    @Test func `after a GOAWAY the old connection ends its streams and a new one takes the rest`() {
        var bench = Bench()
        for ticket in 1...4 { bench.submit(ticket) }
        bench.connect(streamLimit: 2)
        bench.fill()
        bench.core.goAway(connection: 0, reason: "Shutdown")
        #expect(bench.fill().isEmpty)
        bench.close(1, isRefused: true)  // above the last stream
        #expect(bench.plan() == [.open(connection: 1)])
        bench.core.opened(connection: 1, at: bench.now)
        bench.core.streamLimit(connection: 1, 10)
        #expect(bench.fill(1).map(\.ticket) == [2, 3, 4])
        bench.answer(0)
        #expect(bench.outcomes == [1: "accepted"])
        #expect(bench.plan() == [.close(connection: 0)])
    }

    @Test func `a certificate that the gateway turns down is no reason to go on connecting`() {
        var bench = Bench()
        for ticket in 1...2 { bench.submit(ticket) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.core.goAway(connection: 0, reason: "BadCertificateEnvironment")
        bench.close(0, isRefused: true)  // above the last stream, which is 0
        #expect(bench.plan() == [.close(connection: 0)])
        bench.lose()
        #expect(bench.outcomes == [1: "unsent", 2: "unsent"])
        #expect(bench.plan().isEmpty)
    }

    @Test func `failed connections are tried again later and later, then what waits is given back`() {
        var bench = Bench(connectAttempts: 3)
        bench.submit(1, timeout: .seconds(1000))
        var waits: [Duration] = []
        for attempt in 1...3 {
            #expect(bench.plan() == [.open(connection: 0)], "attempt \(attempt)")
            bench.lose()
            let lostAt = bench.now
            while attempt < 3, bench.plan().isEmpty { bench.now = bench.now + .milliseconds(10) }
            if attempt < 3 {
                waits.append(bench.now - lostAt)
                bench.core.lost(
                    connection: 0, description: "", isPermanent: false, at: lostAt, resolved: &bench.resolved,
                    wasSent: { _ in true })
                break
            }
        }
        #expect(waits.allSatisfy { $0 >= .milliseconds(500) && $0 <= .seconds(1) })
        while bench.outcomes.isEmpty {
            bench.now = bench.now + .seconds(60)
            guard bench.plan() == [.open(connection: 0)] else { break }
            bench.lose()
        }
        #expect(bench.outcomes == [1: "unsent"])
    }

    @Test func `a permanent failure gives everything back at once`() {
        var bench = Bench()
        for ticket in 1...3 { bench.submit(ticket) }
        _ = bench.plan()
        bench.lose(isPermanent: true)
        #expect(bench.outcomes == [1: "unsent", 2: "unsent", 3: "unsent"])
    }

    @Test func `a connection that answers and then breaks is replaced after the first wait, however often`() {
        var bench = Bench(connectAttempts: 2)
        for ticket in 1...10 {
            bench.submit(ticket)
            let since = bench.now
            while bench.plan().isEmpty { bench.now = bench.now + .milliseconds(10) }
            #expect(bench.now - since <= .seconds(1))
            #expect(ticket == 1 || bench.now - since >= .milliseconds(500))
            bench.core.opened(connection: 0, at: bench.now)
            let slot = bench.fill()[0].slot
            bench.answer(slot)
            bench.lose()
        }
        #expect(bench.outcomes.values.allSatisfy { $0 == "accepted" })
    }

    @Test func `connections are added one at a time while something waits`() {
        var bench = Bench(connections: 3)
        for ticket in 1...100 { bench.submit(ticket) }
        #expect(bench.plan() == [.open(connection: 0)])
        #expect(bench.plan().isEmpty)
        bench.core.opened(connection: 0, at: bench.now)
        #expect(bench.plan() == [.open(connection: 1)])
        bench.core.opened(connection: 1, at: bench.now)
        bench.core.streamLimit(connection: 0, 1000)
        bench.fill(0)
        #expect(bench.plan().isEmpty)
    }

    @Test func `what is past its deadline is unsent in the queue and unknown on a stream`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(5))
        bench.submit(2, timeout: .seconds(5))
        bench.submit(3, timeout: .seconds(50))
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.now = bench.now + .seconds(5)
        #expect(bench.expire() == [.reset(connection: 0, slot: 0)])
        #expect(bench.outcomes == [1: "unknown", 2: "unsent"])
        bench.answer(0)  // too late
        #expect(bench.outcomes.count == 2)
        #expect(bench.fill().map(\.ticket) == [3])
    }

    @Test func `a deadline counts also when nothing looked at the queue before`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(5))
        bench.connect()
        bench.now = bench.now + .seconds(6)
        #expect(bench.fill().isEmpty)
        #expect(bench.outcomes == [1: "unsent"])
    }

    @Test func `cancelling is safe in the queue, on a stream and after the outcome`() {
        var bench = Bench()
        for ticket in 1...3 { bench.submit(ticket) }
        bench.connect(streamLimit: 2)
        bench.fill()
        bench.answer(0)
        for id: UInt64 in 1...4 {
            if let resolution = bench.core.cancel(id, actions: &bench.actions) { bench.resolved.append(resolution) }
        }
        #expect(bench.outcomes == [1: "accepted", 2: "unknown", 3: "unsent"])
        #expect(bench.actions == [.reset(connection: 0, slot: 1)])
    }

    @Test func `silence brings a PING, and silence after it the end`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(100))
        bench.connect()
        bench.fill()
        bench.now = bench.now + .seconds(14)
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .seconds(1)
        #expect(bench.plan() == [.ping(connection: 0)])
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .seconds(9)
        bench.core.heard(connection: 0, at: bench.now)
        bench.now = bench.now + .seconds(15)
        #expect(bench.plan() == [.ping(connection: 0)])
        bench.now = bench.now + .seconds(10)
        #expect(bench.plan() == [.abort(connection: 0)])
    }

    @Test func `closing gives back what waits and lets the rest end`() {
        var bench = Bench()
        for ticket in 1...2 { bench.submit(ticket) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.resolved += bench.core.close()
        #expect(bench.outcomes == [2: "unsent"])
        #expect(bench.plan().isEmpty)
        bench.answer(0)
        #expect(bench.outcomes == [1: "accepted", 2: "unsent"])
        #expect(bench.plan() == [.close(connection: 0)])
    }
}

extension Submission {
    /// What the tests call it by.
    var ticketNumber: Int { Int(id) }
}
