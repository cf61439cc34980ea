import APNSModel
import APNSProvider
import HTTP2Session
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

/// A provider with several event loops.
@Suite(.timeLimit(.minutes(10)))
struct PushProviderLoopsTests {
    private typealias Request = ScriptedGateway.Request
    private typealias Script = @Sendable (Request) -> ScriptedGateway.Answer

    private static func with(
        loops: Int = 2, connections: Int? = nil, firstStreamLimit: UInt32 = 1000, script: @escaping Script,
        change: (inout ProviderConfiguration) -> Void = { _ in },
        _ body: (PushProvider, ScriptedGateway) async throws -> Void
    ) async throws {
        try await ScriptedGateway.with(firstStreamLimit: firstStreamLimit, script: script) { gateway, configuration in
            var configuration = configuration
            configuration.connections = connections ?? loops
            configuration.eventLoops = loops
            change(&configuration)
            let group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
            try await body(try PushProvider(configuration, eventLoopGroup: group), gateway)
            try await group.shutdownGracefully()
        }
    }

    private static func bulk(_ provider: PushProvider, count: Int) async throws -> Tally {
        var tally = Tally()
        for try await result in provider.send(all: Numbers(count: count)) { tally.count(result) }
        #expect(tally.repeated == 0 && tally.indices == Set(0..<count))
        return tally
    }

    private static func allAccepted(_ provider: PushProvider, count: Int) async throws {
        let tally = try await bulk(provider, count: count)
        #expect(tally.accepted == count)
    }

    /// Sends in rounds until the gateway has so many connections, and once more. How much is sent before the later ones
    /// are open depends on the machine.
    ///
    /// - Returns: How many rounds there were.
    private static func rounds(
        until connections: Int, of gateway: ScriptedGateway, _ send: (_ round: Int) async throws -> Void
    ) async throws -> Int {
        var rounds = 0
        var isLast = false
        while true {
            try Task.checkCancellation()
            try await send(rounds)
            rounds += 1
            if isLast { return rounds }
            isLast = gateway.log.withLock { $0.connections } >= connections
        }
    }

    /// The names of the outcomes of sends from many tasks.
    private static func singles(_ provider: PushProvider, _ numbers: Range<Int>) async -> [String: Int] {
        await withTaskGroup(of: String.self) { group in
            for number in numbers {
                group.addTask {
                    do throws(APNSSendError) {
                        return APNSOutcome(try await provider.send(TestNotifications.notification(number))).name
                    } catch { return error.isSafeToRetry ? "unsent" : "unknown" }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test func `a bulk send is dealt out to all event loops, and each notification has one result`() async throws {
        try await Self.with(loops: 3, script: { _ in .accept }) { provider, gateway in
            let rounds = try await Self.rounds(until: 3, of: gateway) { _ in
                try await Self.allAccepted(provider, count: 10_000)
            }
            await provider.close()
            let log = gateway.log.withLock { $0 }
            #expect(log.accepted.count == 10_000 && log.accepted.values.allSatisfy { $0 == rounds })
            #expect(log.connections == 3)
        }
    }

    @Test func `single notifications use all event loops`() async throws {
        try await Self.with(script: { _ in .accept }) { provider, gateway in
            // The first connection is proven before the second is opened.
            let rounds = try await Self.rounds(until: 2, of: gateway) { round in
                let outcomes = await Self.singles(provider, round * 1000..<(round + 1) * 1000)
                #expect(outcomes == ["accepted": 1000])
            }
            await provider.close()
            let log = gateway.log.withLock { $0 }
            #expect(log.accepted.count == rounds * 1000 && log.accepted.values.allSatisfy { $0 == 1 })
            #expect(log.connections == 2)
        }
    }

    @Test func `no more event loops are used than there are connections`() async throws {
        try await Self.with(loops: 4, connections: 1, script: { _ in .accept }) { provider, gateway in
            try await Self.allAccepted(provider, count: 2000)
            await provider.close()
            #expect(gateway.log.withLock { $0.connections } == 1)
        }
    }

    @Test func `connections that are cut and streams that are refused leave exact counts`() async throws {
        let script: Script = {
            switch $0.number {
            case 699, 3000: .disconnect
            case 1500: .goAwayBefore
            case 100...110: .reset(.refusedStream)
            default: .accept
            }
        }
        try await Self.with(loops: 3, connections: 5, script: script) { provider, gateway in
            async let outcomes = Self.singles(provider, 100_000..<102_000)
            let tally = try await Self.bulk(provider, count: 5000)
            let singles = await outcomes
            await provider.close()
            #expect(tally.refused == 0 && tally.unsent == 0 && tally.unknown > 0)
            #expect(singles.values.reduce(0, +) == 2000 && singles["unsent"] == nil)
            let log = gateway.log.withLock { $0 }
            #expect(log.accepted.values.allSatisfy { $0 == 1 })
            let (known, unknown) = (
                tally.accepted + singles["accepted", default: 0], tally.unknown + singles["unknown", default: 0]
            )
            #expect(log.accepted.count >= known && log.accepted.count <= known + unknown)
        }
    }

    /// The connection with number 1 answers once and then nothing.
    @Test func `a connection that answers nothing leaves the queue of the other event loops alone`() async throws {
        let answered = Mutex(false)
        let script: Script = { request in
            guard request.connection == 1 else { return .accept }
            return answered.withLock { done in
                defer { done = true }
                return done ? .silence : .accept
            }
        }
        try await Self.with(firstStreamLimit: 10, script: script) {
            $0.timeout = .seconds(3600)
            $0.pingAfterSilence = .seconds(3600)
        } _: { provider, gateway in
            let results = provider.send(all: Numbers(count: 3000))
            var accepted = 0
            var iterator = results.makeAsyncIterator()
            // All but the streams of the silent connection have answers.
            while accepted < 2990, let result = try await iterator.next() {
                if case .accepted = result.outcome { accepted += 1 }
            }
            #expect(accepted == 2990)
            await provider.close(within: .milliseconds(1))
            var rest: [String] = []
            while let result = try await iterator.next() { rest.append(result.outcome.name) }
            #expect(rest.count == 10 && rest.allSatisfy { $0 == "unknown" || $0 == "accepted" })
        }
    }

    @Test func `the limits of what is pending and of what waits are those of the provider`() async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let script: Script = { _ in
            arrived.continuation.yield()
            return .silence
        }
        try await Self.with(script: script) {
            $0.maximumPending = 4
            $0.maximumWaiting = 3
            $0.timeout = .seconds(3600)
        } _: { provider, _ in
            let codes = await withTaskGroup(of: APNSSendError.Code?.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        do throws(APNSSendError) {
                            _ = try await provider.send(TestNotifications.notification(number))
                            return nil
                        } catch { return error.code }
                    }
                }
                var codes: [APNSSendError.Code?] = []
                for await code in group {
                    codes.append(code)
                    if codes.count == 3 { group.cancelAll() }
                }
                return codes
            }
            #expect(codes.prefix(3).allSatisfy { $0 == .queueFull })
            #expect(codes.dropFirst(3).count == 7 && codes.dropFirst(3).allSatisfy { $0 == .cancelled })
            await provider.close()
        }
    }

    @Test func `closing ends what is in flight on every event loop`() async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let script: Script = {
            arrived.continuation.yield()
            return $0.number < 200 ? .accept : .silence
        }
        try await Self.with(script: script) {
            $0.timeout = .seconds(3600)
        } _: { provider, _ in
            let run = Task { await provider.run() }
            let task = Task { try await Self.bulk(provider, count: 1500) }
            let singles = Task { await Self.singles(provider, 100_000..<100_100) }
            var arrivals = 0
            for await _ in arrived.stream {
                arrivals += 1
                if arrivals == 1600 { break }
            }
            await provider.close(within: .milliseconds(1))
            let tally = try await task.value
            let outcomes = await singles.value
            #expect(tally.accepted + tally.unknown + tally.unsent == 1500 && tally.unknown > 0)
            #expect(outcomes.values.reduce(0, +) == 100)
            await run.value
            let error = await #expect(throws: APNSSendError.self) {
                _ = try await provider.send(TestNotifications.notification(1))
            }
            #expect(error?.code == .providerClosed)
        }
    }

    @Test func `stopping a bulk send stops it on every event loop`() async throws {
        try await Self.with(script: { _ in .accept }) { provider, _ in
            let results = provider.send(all: Numbers(count: .max))
            var tally = Tally()
            for try await result in results {
                tally.count(result)
                if tally.indices.count == 5000 { results.stop() }
            }
            #expect(tally.repeated == 0 && tally.indices == Set(0..<tally.indices.count))
            await provider.close()
        }
    }

    @Test func `connections are replaced on every event loop`() async throws {
        try await Self.with(script: { _ in .accept }) { provider, gateway in
            for connections in [2, 4] {
                _ = try await Self.rounds(until: connections, of: gateway) { _ in
                    try await Self.allAccepted(provider, count: 1000)
                }
                #expect(gateway.log.withLock { $0.connections } == connections)
                await provider.replaceConnections()
            }
            await provider.close()
        }
    }

    @Test func `each executor is that of another event loop of the given group`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            var configuration = configuration
            (configuration.eventLoops, configuration.connections) = (2, 2)
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
            let provider = try PushProvider(configuration, eventLoopGroup: group)
            let loops = group.makeIterator().map { $0 }
            var used: Set<Int> = []
            for _ in 0..<2 {
                let index = await Task(executorPreference: provider.executor) {
                    loops.firstIndex { $0.inEventLoop }
                }.value
                if let index { used.insert(index) }
            }
            #expect(used == [0, 1])
            await provider.close()
            try await group.shutdownGracefully()
        }
    }

    @Test func `dropping the provider closes it on every event loop`() async throws {
        try await Self.with(script: { _ in .accept }) { provider, gateway in
            func dropped() async throws {
                var configuration = try gateway.configuration()
                (configuration.eventLoops, configuration.connections) = (2, 2)
                let provider = try PushProvider(configuration)
                _ = try await Self.rounds(until: 2, of: gateway) { _ in
                    try await Self.allAccepted(provider, count: 1000)
                }
            }
            try await dropped()
            var ended = 0
            for await _ in gateway.ended.stream {
                ended += 1
                if ended == 2 { break }
            }
            await provider.close()
        }
    }

    @Test func `an event loop without sockets is refused`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let loop = NIOAsyncTestingEventLoop()
            let error = #expect(throws: ProviderConfigurationError.self) {
                try PushProvider(configuration, eventLoopGroup: loop)
            }
            #expect(error?.detail.contains("NIOAsyncTestingEventLoop") == true)
            await loop.shutdownGracefully()
        }
    }
}
