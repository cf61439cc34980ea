import APNSModel
import APNSProvider
import HTTP2Session
import Synchronization
import Testing

struct APNSProviderTests {
    static func notification(_ number: Int, payload: String = #"{"aps":{"alert":"Hi"}}"#) -> APNSNotification {
        APNSNotification(
            to: DeviceToken("ab" + String(1_000_000 + number) + "0")!, topic: Topic("com.example.app")!,
            pushType: .alert, priority: .immediate, expiration: .once, collapseID: CollapseID("c"),
            payload: Array(payload.utf8))
    }

    /// What a bulk send came to.
    struct Tally: Equatable {
        var accepted = 0
        var refused = 0
        var unsent = 0
        var unknown = 0
        var indices: Set<Int> = []

        mutating func count(_ result: APNSSendResult) {
            #expect(indices.insert(result.index).inserted, "two results for \(result.index)")
            switch result.outcome {
            case .accepted: accepted += 1
            case .refused: refused += 1
            case .unsent: unsent += 1
            case .unknown: unknown += 1
            }
        }
    }

    static func bulk(_ provider: PushProvider, count: Int, window: Int? = nil) async throws -> Tally {
        var tally = Tally()
        for try await result in provider.send(all: Numbers(count: count), window: window) { tally.count(result) }
        return tally
    }

    @Test func `a notification carries its headers and its payload byte for byte`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let reply = try await provider.send(Self.notification(1, payload: #"{ "aps" : {"alert":"ü"} }"#))
            await provider.close()
            let request = try #require(gateway.log.withLock { $0.requests.first })
            #expect(reply.isAccepted)
            #expect(reply.apnsID == request.fields["apns-id"])
            #expect(String(decoding: request.body, as: UTF8.self) == #"{ "aps" : {"alert":"ü"} }"#)
            var fields = request.fields
            #expect(fields.removeValue(forKey: "authorization")?.hasPrefix("bearer ey") == true)
            #expect(NotificationID(fields.removeValue(forKey: "apns-id") ?? "") != nil)
            #expect(
                fields == [
                    ":method": "POST", ":scheme": "https", ":authority": "localhost:\(gateway.port)",
                    ":path": "/3/device/ab10000010", "apns-topic": "com.example.app", "apns-push-type": "alert",
                    "apns-priority": "10", "apns-expiration": "0", "apns-collapse-id": "c",
                ])
        }
    }

    @Test func `a refusal is an answer`() async throws {
        try await ScriptedGateway.with(script: { _ in .refuse(.badDeviceToken) }) { _, configuration in
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(Self.notification(1)).reason == .badDeviceToken)
            await provider.close()
        }
    }

    @Test func `a notification with an error is held back, unless validation is off`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var configuration = configuration
            let strict = try PushProvider(configuration)
            let error = await #expect(throws: APNSSendError.self) {
                _ = try await strict.send(Self.notification(1, payload: "{"))
            }
            #expect(error?.code == .invalidNotification)
            #expect(error?.isSafeToRetry == true)
            configuration.validates = false
            let lax = try PushProvider(configuration)
            #expect(try await lax.send(Self.notification(1, payload: "{")).isAccepted)
            await strict.close()
            await lax.close()
            #expect(gateway.log.withLock { $0.requests.count } == 1)
        }
    }

    @Test func `a thousand tasks send over several connections`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var configuration = configuration
            configuration.connections = 4
            configuration.maximumPending = 100
            let provider = try PushProvider(configuration)
            let accepted = try await withThrowingTaskGroup { group in
                for number in 0..<1000 {
                    group.addTask { try await provider.send(Self.notification(number)).isAccepted }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            await provider.close()
            #expect(accepted == 1000)
            #expect(gateway.log.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
            #expect(gateway.log.withLock { $0.mostStreams } <= 100)
        }
    }

    @Test func `a bulk send gives each notification one result`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number.isMultiple(of: 10) ? .refuse(.unregistered) : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 20_000)
            await provider.close()
            #expect(tally.accepted == 18_000 && tally.refused == 2000)
            #expect(tally.indices == Set(0..<20_000))
        }
    }

    @Test func `a bulk send keeps no more than its window`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let source = Numbers(count: 5000)
            var iterator = provider.send(all: source, window: 50).makeAsyncIterator()
            var read = 0
            while try await iterator.next() != nil {
                read += 1
                #expect(source.given.load(ordering: .relaxed) <= read + 50)
            }
            await provider.close()
            #expect(read == 5000)
        }
    }

    @Test func `the stream limit of one is kept, and its rise and fall are followed`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number % 2000 {
            case 10: .streamLimit(1000)
            case 1500: .streamLimit(1)
            case 1600: .streamLimit(1000)
            case 1900: .streamLimit(1)
            default: .accept
            }
        }
        try await ScriptedGateway.with(firstStreamLimit: 1, script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 6000)
            await provider.close()
            #expect(tally.accepted == 6000)
            #expect(gateway.log.withLock { $0.connections } == 1)
            #expect(gateway.log.withLock { $0.mostStreams } > 100)
        }
    }

    @Test func `GOAWAY moves what was not processed to a new connection`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number % 1000 == 500 ? .goAwayBefore : $0.number % 1000 == 900 ? .goAwayAfter : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 5000)
            await provider.close()
            #expect(tally.accepted == 5000)
            #expect(gateway.log.withLock { $0.connections } > 5)
            #expect(gateway.log.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
        }
    }

    @Test func `a refused stream is sent again, any other reset is not`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number {
            case 0: .reset(.refusedStream)
            case 1: .reset(.internalError)
            default: .accept
            }
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(1)) }
            await provider.close()
            #expect(error?.code == .streamReset)
            #expect(error?.isSafeToRetry == false)
            #expect(gateway.log.withLock { $0.requests.count } == 2)
        }
    }

    @Test func `connections that are cut leave exact counts`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number % 700 == 699 ? .disconnect : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            var configuration = configuration
            configuration.connections = 3
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 10_000)
            await provider.close()
            #expect(tally.indices.count == 10_000)
            #expect(tally.refused == 0 && tally.unsent == 0 && tally.unknown > 0)
            let (accepted, twice) = gateway.log.withLock {
                ($0.accepted.count, $0.accepted.values.filter { $0 > 1 }.count)
            }
            #expect(twice == 0)
            // What the gateway accepted and the sender does not know of is among the unknown.
            #expect(accepted >= tally.accepted && accepted <= tally.accepted + tally.unknown)
        }
    }

    @Test func `nobody there is told with the address`() async throws {
        var configuration = try await ScriptedGateway.with(script: { _ in .accept }) { $1 }
        let port = try HeldPort()
        configuration.gateway.port = port.number
        configuration.connectAttempts = 2
        let provider = try PushProvider(configuration)
        let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(1)) }
        await provider.close()
        #expect(error?.code == .connectionFailed)
        #expect(error?.isSafeToRetry == true)
        #expect(error?.detail.contains("localhost:\(configuration.gateway.port)") == true)
        #expect(error?.detail.contains("refused") == true)
    }

    @Test func `a gateway of another authority is not believed, and not tried again`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            try await ScriptedGateway.with(script: { _ in .accept }) { other, _ in
                var configuration = configuration
                configuration.trust = .authorities(pem: other.authority)
                configuration.connectAttempts = 100
                configuration.backOff = .seconds(60)
                let provider = try PushProvider(configuration)
                let error = await #expect(throws: APNSSendError.self) {
                    _ = try await provider.send(Self.notification(1))
                }
                await provider.close()
                #expect(error?.code == .connectionFailed)
                #expect(gateway.log.withLock { $0.requests.isEmpty })
            }
        }
    }

    @Test func `a gateway that never answers ends in the deadline`() async throws {
        try await ScriptedGateway.with(script: { $0.token.hasSuffix("10") ? .accept : .silence }) { _, configuration in
            var configuration = configuration
            configuration.timeout = .milliseconds(500)
            let provider = try PushProvider(configuration)
            _ = try? await provider.send(Self.notification(1))
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(2)) }
            #expect(error?.code == .deadlineExceeded)
            await provider.close()
        }
    }

    @Test func `a gateway that hangs is noticed by its silence, and another connection takes over`() async throws {
        try await ScriptedGateway.with(script: { $0.number == 1 ? .hang : .accept }) { gateway, configuration in
            var configuration = configuration
            configuration.pingAfterSilence = .milliseconds(200)
            configuration.pingTimeout = .seconds(2)
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(Self.notification(1)).isAccepted)
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(2)) }
            #expect(error?.code == .connectionLost)
            #expect(error?.isSafeToRetry == false)
            #expect(try await provider.send(Self.notification(3)).isAccepted)
            #expect(gateway.log.withLock { $0.connections } == 2)
            await provider.close()
        }
    }

    @Test func `a cancelled task is told whether its notification may have been sent`() async throws {
        let arrived = AsyncStream.makeStream(of: Int.self)
        let count = Mutex(0)
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            count.withLock { $0 += 1 }
            arrived.continuation.yield($0.number)
            return .silence
        }
        try await ScriptedGateway.with(firstStreamLimit: 1, script: script) { _, configuration in
            var configuration = configuration
            configuration.maximumPending = 2
            let provider = try PushProvider(configuration)
            let tasks = (0..<4).map { number in
                Task { () -> APNSSendError? in
                    do {
                        _ = try await provider.send(Self.notification(number))
                        return nil
                    } catch { return error as? APNSSendError }
                }
            }
            for await _ in arrived.stream { break }  // one is on its stream, one in the queue, two wait for room
            for task in tasks { task.cancel() }
            var safe: [Bool] = []
            for task in tasks {
                let error = try #require(await task.value)
                #expect(error.code == .cancelled)
                safe.append(error.isSafeToRetry)
            }
            await provider.close()
            // Whoever is cancelled makes room for the next, which may go out before it is cancelled too.
            let unsafe = safe.count { !$0 }
            #expect(unsafe >= 1)
            #expect(unsafe >= count.withLock { $0 }, "what the gateway has seen was told as safe to send again")
        }
    }

    @Test func `a bulk send that is stopped gives back what was not written`() async throws {
        try await ScriptedGateway.with(script: { $0.number == 0 ? .accept : .silence }) { gateway, configuration in
            var configuration = configuration
            configuration.timeout = .seconds(2)
            let provider = try PushProvider(configuration)
            let source = Numbers(count: .max)
            let results = provider.send(all: source, window: 5000)
            var tally = Tally()
            for try await result in results {
                tally.count(result)
                results.stop()
            }
            await provider.close()
            #expect(tally.indices.count == source.given.load(ordering: .relaxed))
            #expect(tally.accepted + tally.unknown == gateway.log.withLock { $0.requests.count })
            #expect(tally.unsent > 0)
        }
    }

    @Test func `cancelling the reader of a bulk send ends it with every result`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let source = Numbers(count: .max)
            let task = Task {
                var tally = Tally()
                for try await result in provider.send(all: source, window: 1000) {
                    tally.count(result)
                    if tally.indices.count >= 2500 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return tally
            }
            let tally = try await task.value
            await provider.close()
            #expect(tally.indices.count == source.given.load(ordering: .relaxed))
            #expect(tally.accepted > 0)
        }
    }

    @Test func `a reader that goes away stops the send`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let source = Numbers(count: .max)
            for try await _ in provider.send(all: source, window: 100) { break }
            await source.wasReleased()
            await provider.close()
        }
    }

    @Test func `an error of the source comes after all results`() async throws {
        struct Broken: Error {}
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let source = AsyncThrowingStream<APNSNotification, any Error> { continuation in
                for number in 0..<10 { continuation.yield(Self.notification(number)) }
                continuation.finish(throwing: Broken())
            }
            var tally = Tally()
            await #expect(throws: Broken.self) {
                for try await result in provider.send(all: source) { tally.count(result) }
            }
            await provider.close()
            #expect(tally.accepted == 10)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing ends a bulk send whose source never ends`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let source = Numbers(count: .max)
            var tally = Tally()
            for try await result in provider.send(all: source, window: 500) {
                tally.count(result)
                if tally.indices.count == 1 { await provider.close() }
            }
            #expect(tally.indices.count == source.given.load(ordering: .relaxed))
            #expect(tally.unknown == 0)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `stopping ends a bulk send whose source gives nothing`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            let (source, input) = AsyncStream.makeStream(of: APNSNotification.self)
            input.yield(Self.notification(1))
            let results = provider.send(all: source)
            var tally = Tally()
            for try await result in results {
                tally.count(result)
                results.stop()
            }
            #expect(tally.accepted == 1)
            await provider.close()
            input.finish()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `the deadline counts also while a caller waits for room`() async throws {
        try await ScriptedGateway.with(script: { _ in .silence }) { _, configuration in
            var configuration = configuration
            configuration.maximumPending = 1
            configuration.timeout = .seconds(3600)
            let provider = try PushProvider(configuration)
            let first = Task { try await provider.send(Self.notification(1)) }
            let error = await #expect(throws: APNSSendError.self) {
                // One of the two is in, and the other waits for it.
                _ = try await provider.send(Self.notification(2), timeout: .milliseconds(200))
            }
            #expect(error?.code == .deadlineExceeded)
            first.cancel()
            _ = await first.result
            await provider.close()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing does not wait for a peer that says nothing`() async throws {
        try await ScriptedGateway.withSilentListener { configuration in
            var configuration = configuration
            configuration.connectTimeout = .seconds(3600)
            configuration.timeout = .milliseconds(200)
            let provider = try PushProvider(configuration)
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(1)) }
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.detail.contains("connection") == true)
            await provider.close()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a provider that nobody has any more closes its connection, and not before its results are read`() async throws
    {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var tally = Tally()
            for try await result in try PushProvider(configuration).send(all: Numbers(count: 500), window: 10) {
                tally.count(result)
            }
            #expect(tally.accepted == 500)
            for await _ in gateway.ended.stream { break }
        }
    }

    @Test func `after closing, nothing is let in`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(Self.notification(1)).isAccepted)
            await provider.close()
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(Self.notification(2)) }
            #expect(error?.code == .providerClosed)
            await provider.close()
        }
    }
}

/// Gives notifications without ever waiting, and counts them.
final class Numbers: AsyncSequence, Sendable {
    let count: Int
    let given = Atomic(0)
    private let released = AsyncStream.makeStream(of: Void.self)

    init(count: Int) { self.count = count }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Returns when nobody reads from it any more.
    func wasReleased() async { for await _ in released.stream { return } }

    final class Iterator: AsyncIteratorProtocol {
        let source: Numbers
        var number = 0

        init(source: Numbers) { self.source = source }

        deinit { source.released.continuation.yield() }

        func next() async -> APNSNotification? {
            guard number < source.count else { return nil }
            defer { number += 1 }
            source.given.add(1, ordering: .relaxed)
            return APNSProviderTests.notification(number % 2_000_000)
        }
    }
}
