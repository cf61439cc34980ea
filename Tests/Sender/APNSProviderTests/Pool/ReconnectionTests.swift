import APNSModel
import TestSeeds
import Testing

@testable import APNSProvider

/// When the core connects, and what becomes of what waits, while a gateway fails.
struct ReconnectionTests {
    typealias Bench = ProviderCoreBench

    /// A way in which a gateway never works.
    enum Failure: String, CaseIterable, CustomTestStringConvertible {
        case closedPort, untrusted, badCertificate, goAway, goAwayWithError, answerAndGoAway, answerAndBreak
        case handshakeTimeout, refusedStreams, secondsOfLife, silence, lateAnswerAndGoAway

        var testDescription: String { rawValue }
    }

    /// Steady traffic for ten minutes.
    ///
    /// - Parameters:
    ///   - connections: Of each event loop.
    ///   - loops: The event loops of the provider.
    /// - Returns: The times of the connects.
    private func connects(
        _ failure: Failure, connections: Int, loops: Int, seed: UInt64
    ) async -> [MonotonicTime] {
        var benches = Bench.loops(loops, connections: connections, first: .milliseconds(250), seed: seed)
        var connects: [MonotonicTime] = []
        var ends: [(loop: Int, connection: Int, at: MonotonicTime)] = []
        var number = 0
        var now = MonotonicTime.zero
        while now < .zero + .seconds(600) {
            number += 1
            // Tests with deadlines on the machine's clock run beside this one, on the same few threads.
            if number.isMultiple(of: 100) { await Task.yield() }
            for loop in benches.indices {
                benches[loop].now = now
                benches[loop].submit(number, timeout: .milliseconds(200))
                for end in ends where end.loop == loop && end.at <= now {
                    if failure == .lateAnswerAndGoAway { answerAndLeave(&benches[loop], end.connection) }
                    benches[loop].lose(end.connection)
                }
                ends.removeAll { $0.loop == loop && $0.at <= now }
                for case .open(let connection) in benches[loop].plan() {
                    connects.append(now)
                    if let life = fail(&benches[loop], connection, failure) {
                        ends.append((loop, connection, now + life))
                    }
                }
                _ = benches[loop].expire()
            }
            now = now + .milliseconds(50)
        }
        return connects
    }

    private func answerAndLeave(_ bench: inout Bench, _ connection: Int) {
        if let slot = bench.fill(connection).first?.slot { bench.answer(slot, connection: connection) }
        bench.goAway(connection)
    }

    /// A connection fails as `failure` says.
    ///
    /// - Returns: After which time it is lost; nil when it is lost already.
    private func fail(_ bench: inout Bench, _ connection: Int, _ failure: Failure) -> Duration? {
        switch failure {
        case .closedPort: bench.lose(connection)
        case .untrusted: bench.lose(connection, isPermanent: true)
        case .handshakeTimeout: return .seconds(10)
        default:
            bench.core.opened(connection: connection, at: bench.now)
            bench.core.streamLimit(connection: connection, 1)
            if failure == .lateAnswerAndGoAway { return .seconds(12) }
            let slots = bench.fill(connection).map(\.slot)
            if [.answerAndGoAway, .answerAndBreak, .secondsOfLife].contains(failure), let slot = slots.first {
                bench.answer(slot, connection: connection)
            }
            if failure == .refusedStreams, let slot = slots.first {
                bench.close(slot, isRefused: true, connection: connection)
            }
            switch failure {
            case .secondsOfLife: return .seconds(5)
            // A PING after 15 s, and 10 s for its answer.
            case .silence: return .seconds(25)
            case .badCertificate: bench.goAway(connection, reason: "BadCertificate")
            case .goAwayWithError: bench.goAway(connection, reason: "InternalServerError")
            case .goAway, .answerAndGoAway: bench.goAway(connection)
            default: break
            }
            bench.lose(connection)
        }
        return nil
    }

    @Test(arguments: Failure.allCases, TestSeed.isEach ? [(1, 1), (4, 1), (1, 2), (2, 4)] : [(1, 1), (2, 2)])
    func `a gateway that never works gets at most 20 connects in ten minutes, from all event loops together`(
        failure: Failure, size: (connections: Int, loops: Int)
    ) async {
        for seed: UInt64 in 1...(TestSeed.isEach ? 2 : 1) {
            let count = await connects(failure, connections: size.connections, loops: size.loops, seed: seed).count
            // A gateway that answers may get the whole pool first.
            let answers = [.secondsOfLife, .lateAnswerAndGoAway].contains(failure)
            let allowed = answers ? 19 + size.connections * size.loops : 20
            #expect(count <= allowed && count >= 8, "\(count) connects, seed \(seed)")
        }
    }

    @Test func `while a connection of one event loop is starting, the others wait`() {
        var benches = Bench.loops(2)
        for number in 1...2 {
            benches[0].submit(number)
            benches[1].submit(number)
        }
        benches[0].connect(streamLimit: 1)
        #expect(benches[1].plan().isEmpty)
        benches[0].answer(benches[0].fill()[0].slot)
        #expect(benches[0].plan().isEmpty)
        #expect(benches[1].plan().isEmpty)  // until the limit of one stream rises, or a second has passed
        benches[0].core.streamLimit(connection: 0, 1000)
        #expect(benches[0].plan().isEmpty)
        #expect(benches[1].plan() == [.open(connection: 0)])
    }

    @Test func `when one event loop gives up, so does one that waits, and not one that has a connection`() {
        var benches = Bench.loops(3, connectAttempts: 2)
        for loop in 0..<3 { benches[loop].submit(1, timeout: .seconds(1000)) }
        #expect(benches[2].plan() == [.open(connection: 0)])
        benches[2].core.opened(connection: 0, at: .zero)
        for loop in 0..<3 { benches[loop].now = benches[loop].now + .seconds(2) }
        #expect(benches[2].plan().isEmpty)
        for attempt in 0..<2 {
            #expect(benches[0].outcomes.isEmpty)
            benches[0].now = benches[0].now + .seconds(60)
            #expect(benches[0].plan() == [.open(connection: 0)], "attempt \(attempt)")
            benches[0].lose()
        }
        for loop in 1...2 { _ = benches[loop].plan() }
        #expect(benches.map(\.outcomes) == [[1: "unsent"], [1: "unsent"], [:]])
        #expect(benches[1].errors[1]?.code == .connectionFailed)
        // It gives up once for each time, not what is submitted later.
        benches[1].submit(2)
        _ = benches[1].plan()
        #expect(benches[1].outcomes[2] == nil)
    }

    @Test func `an event loop that had nothing to send when another one gave up tries for itself later`() {
        var benches = Bench.loops(3, connectAttempts: 1)
        benches[0].submit(1)
        #expect(benches[0].plan() == [.open(connection: 0)])
        benches[0].lose()
        #expect(benches[0].outcomes == [1: "unsent"])
        #expect(benches[0].plan().isEmpty)
        benches[1].now = benches[0].now + .seconds(120)
        benches[1].submit(1)
        #expect(benches[1].plan() == [.open(connection: 0)])
        #expect(benches[1].outcomes.isEmpty)
    }

    @Test func `an event loop without a connection can be asked for one, until it has one or tries`() {
        var benches = Bench.loops(2)
        #expect(benches[1].core.couldConnect)
        benches[1].core.isWanted = true
        #expect(!benches[1].core.couldConnect)
        benches[1].connect()
        #expect(!benches[1].core.isWanted && !benches[1].core.couldConnect)
        benches[1].lose()
        #expect(benches[1].core.couldConnect)
    }

    @Test func `a failed attempt leaves the queue of a working connection alone`() {
        var bench = Bench(connections: 2)
        for number in 1...10 { bench.submit(number) }
        bench.connect(streamLimit: 2)
        bench.answer(bench.fill()[0].slot)
        #expect(bench.plan() == [.open(connection: 1)])
        bench.lose(1, isPermanent: true)
        #expect(bench.outcomes == [1: "accepted"])
        #expect(bench.core.queued > 0)
    }

    @Test func `a gateway that is gone for some seconds costs nothing`() {
        var bench = Bench(first: .milliseconds(250))
        for number in 1...1000 { bench.submit(number) }
        bench.connect(streamLimit: 10)
        for (_, slot) in bench.fill() { bench.answer(slot) }
        bench.lose()
        let gone = bench.now
        while bench.now - gone < .milliseconds(3500) {
            bench.now = bench.now + .milliseconds(20)
            if !bench.plan().isEmpty { bench.lose() }
        }
        while bench.core.queued > 0, bench.now - gone < .seconds(30) {
            bench.now = bench.now + .milliseconds(20)
            bench.connect(streamLimit: 10)
            for (_, slot) in bench.fill() { bench.answer(slot) }
        }
        #expect(bench.now - gone < .seconds(8))
        #expect(bench.outcomes.count == 1000 && bench.outcomes.values.allSatisfy { $0 == "accepted" })
    }

    @Test(arguments: [false, true])
    func `what waits for a gateway that never works is unsent at its own deadline`(isPermanent: Bool) {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(30))
        bench.submit(2, timeout: .seconds(90))
        while bench.now < .zero + .seconds(30) {
            #expect(bench.outcomes.isEmpty)
            if !bench.plan().isEmpty { bench.lose(isPermanent: isPermanent) }
            bench.now = bench.now + .milliseconds(100)
            _ = bench.expire()
        }
        #expect(bench.outcomes == [1: "unsent"])
        #expect(bench.errors[1]?.detail == "the deadline passed before a connection was open: connection reset")
    }

    @Test func `after the certificate was refused, what waits stays queued and is tried again`() {
        var bench = Bench()
        for number in 1...2 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.goAway(reason: "BadCertificateEnvironment")
        bench.close(0, isRefused: true)  // above the last stream, which is 0
        #expect(bench.plan() == [.close(connection: 0)])
        bench.lose()
        #expect(bench.outcomes.isEmpty)
        bench.now = bench.now + .seconds(1)
        #expect(bench.plan() == [.open(connection: 0)])
    }

    @Test(arguments: [false, true])
    func `what is unsent because the certificate was refused says so, whatever else failed before`(inHandshake: Bool) {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(30))
        bench.submit(2, timeout: .seconds(90))
        while bench.now < .zero + .seconds(90) {
            for case .open in bench.plan() {
                let isRefused = bench.now >= .zero + .seconds(30)
                if isRefused, !inHandshake {
                    bench.core.opened(connection: 0, at: bench.now)
                    bench.goAway(reason: "BadCertificate")
                }
                bench.lose(isPermanent: true, refusesCertificate: isRefused && inHandshake)
            }
            bench.now = bench.now + .milliseconds(100)
            _ = bench.expire()
        }
        #expect(bench.outcomes == [1: "unsent", 2: "unsent"])
        #expect(bench.errors.mapValues(\.isCertificateRefused) == [1: false, 2: true])
        #expect(bench.errors[2]?.code == .connectionFailed)
    }

    @Test func `giving up because of the certificate says so too`() {
        var bench = Bench(connectAttempts: 4)
        bench.submit(1)
        #expect(bench.plan() == [.open(connection: 0)])
        bench.lose(isPermanent: true, refusesCertificate: true)
        #expect(bench.errors[1]?.isCertificateRefused == true)
    }

    @Test func `a burst that is larger than the first stream limit opens one connection`() {
        var bench = Bench(connections: 4)
        for number in 1...5 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        let slot = bench.fill()[0].slot
        #expect(bench.plan().isEmpty)
        bench.answer(slot)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 4)
        #expect(bench.plan().isEmpty)
    }

    @Test func `a connection that worked is replaced at once after a GOAWAY, however often`() {
        var bench = Bench()
        var number = 0
        for _ in 1...20 {
            number += 1
            bench.submit(number)
            #expect(bench.plan() == [.open(connection: 0)])
            bench.core.opened(connection: 0, at: bench.now)
            bench.answer(bench.fill()[0].slot)
            bench.now = bench.now + .seconds(11)
            number += 1
            bench.submit(number)
            bench.answer(bench.fill()[0].slot)
            bench.goAway()
            bench.lose()
        }
    }

    @Test
    func `each wait after a failed attempt to connect is twice the one before, up to the bound, minus up to a half`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(100_000))
        for longest in [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Int64] {
            #expect(bench.plan() == [.open(connection: 0)])
            bench.lose()
            let lost = bench.now
            bench.now = lost + .milliseconds(longest * 500) + .nanoseconds(-1)
            #expect(bench.plan().isEmpty, "connects before half of \(longest) s")
            bench.now = lost + .seconds(longest)
        }
        #expect(bench.plan() == [.open(connection: 0)])
        #expect(bench.outcomes.isEmpty)
    }

    @Test func `answers for 10 s set the wait back to the first, one answer does not`() {
        func waitsLong(answers: ClosedRange<Int>) -> Bool {
            var bench = Bench()
            bench.submit(1, timeout: .seconds(100_000))
            for _ in 0..<8 {
                _ = bench.plan()
                bench.lose()
                bench.now = bench.now + .seconds(60)
            }
            bench.connect()
            bench.answer(bench.fill()[0].slot)
            for number in answers {
                bench.now = bench.now + .seconds(1)
                bench.submit(number, timeout: .seconds(100_000))
                bench.answer(bench.fill()[0].slot)
            }
            bench.submit(1000, timeout: .seconds(100_000))
            bench.lose()
            bench.now = bench.now + .seconds(1)
            return bench.plan().isEmpty
        }
        #expect(waitsLong(answers: 2...2))
        #expect(waitsLong(answers: 2...10))
        #expect(!waitsLong(answers: 2...11))
    }

    @Test func `a steady connection does not shorten the waits of others that fail`() {
        var bench = Bench(connections: 2)
        bench.submit(0, timeout: .seconds(100_000))
        bench.connect(streamLimit: 1)
        var connects = 0
        for number in 1...6000 {
            // One notification is answered each 100 ms, and another one waits all the time.
            bench.submit(number, timeout: .seconds(100_000))
            bench.core.heard(connection: 0, at: bench.now)
            let slot = bench.fill()[0].slot
            if bench.plan() == [.open(connection: 1)] {
                connects += 1
                bench.lose(1)
            }
            bench.answer(slot)
            bench.now = bench.now + .milliseconds(100)
        }
        // The waits start again once, after 10 s.
        #expect(connects > 15 && connects <= 26, "\(connects)")
        #expect(bench.outcomes.values.allSatisfy { $0 == "accepted" })
    }

    @Test func `a gateway with a limit of attempts makes what waits unsent after them`() {
        var bench = Bench(connectAttempts: 3)
        bench.submit(1, timeout: .seconds(1000))
        for attempt in 1...3 {
            #expect(bench.outcomes.isEmpty)
            bench.now = bench.now + .seconds(60)
            #expect(bench.plan() == [.open(connection: 0)], "attempt \(attempt)")
            bench.lose()
        }
        #expect(bench.outcomes == [1: "unsent"])
        #expect(bench.errors[1]?.code == .connectionFailed && bench.errors[1]?.detail == "connection reset")
        // The next attempt is no sooner, and it is enough for what waits then.
        bench.submit(2, timeout: .seconds(1000))
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .seconds(60)
        #expect(bench.plan() == [.open(connection: 0)])
        bench.lose()
        #expect(bench.outcomes == [1: "unsent", 2: "unsent"])
    }

    @Test func `with a limit of attempts one permanent failure is enough, until the gateway has answered`() {
        var bench = Bench(connectAttempts: 100)
        for number in 1...3 { bench.submit(number) }
        _ = bench.plan()
        bench.lose(isPermanent: true)
        #expect(bench.outcomes == [1: "unsent", 2: "unsent", 3: "unsent"])

        bench.submit(4)
        bench.now = bench.now + .seconds(1)
        bench.connect()
        bench.answer(bench.fill()[0].slot)
        bench.lose()
        bench.submit(5)
        for _ in 0..<5 {
            bench.now = bench.now + .seconds(5)
            if !bench.plan().isEmpty { bench.lose(isPermanent: true) }
        }
        #expect(bench.outcomes[5] == nil)
    }

    @Test func `a gateway that was never reached is the cause, and one that was reached meanwhile is not`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(5))
        _ = bench.plan()
        bench.lose()
        bench.now = bench.now + .seconds(5)
        _ = bench.expire()
        #expect(bench.errors[1]?.code == .connectionFailed)

        bench.submit(2)
        bench.submit(3, timeout: .seconds(5))
        bench.connect(streamLimit: 1)
        bench.answer(bench.fill()[0].slot)
        bench.now = bench.now + .seconds(1)
        bench.lose()
        bench.now = bench.now + .seconds(1)
        #expect(bench.plan() == [.open(connection: 0)])
        bench.lose()
        bench.now = bench.now + .seconds(3)
        _ = bench.expire()
        #expect(bench.errors[3]?.code == .deadlineExceeded)
        #expect(bench.errors[3]?.detail == "the deadline passed before a connection was open: connection reset")
    }

    @Test func `a handshake that is refused after requests were written loses none of them`() {
        var bench = Bench()
        for number in 1...5 { bench.submit(number) }
        bench.connect()
        bench.fill()
        bench.lose(isPermanent: true, isHandshakeRefused: true)
        #expect(bench.outcomes.isEmpty && bench.core.queued == 5)
    }

    @Test func `after an answer the handshake was not refused`() {
        var bench = Bench()
        for number in 1...2 { bench.submit(number) }
        bench.connect()
        bench.answer(bench.fill()[0].slot)
        bench.lose(isPermanent: true, isHandshakeRefused: true)
        #expect(bench.outcomes == [1: "accepted", 2: "unknown"])
    }
}
