import APNSModel
import Dispatch
import ProviderToken
import Synchronization
import Testing

@testable import APNSProvider

/// A provider that never connects: its notifications have outcomes without a gateway.
struct PushProviderTests {
    private static func provider() throws -> PushProvider {
        try PushProvider(
            ProviderConfiguration(
                gateway: APNSGateway(host: "127.0.0.1", port: 1),
                credentials: .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)))
    }

    /// Notifications that the validator refuses.
    private static func invalid(_ count: Int) -> Numbers { Numbers(count: count) { TestNotifications.invalid($0) } }

    @Test func `a notification with an error is not sent`() async throws {
        let provider = try Self.provider()
        let error = await #expect(throws: APNSSendError.self) {
            _ = try await provider.send(TestNotifications.invalid())
        }
        #expect(error?.code == .invalidNotification)
        #expect(error?.isSafeToRetry == true)
        await provider.close()
    }

    @Test func `a closed provider accepts nothing`() async throws {
        let provider = try Self.provider()
        await provider.close()
        let error = await #expect(throws: APNSSendError.self) {
            _ = try await provider.send(TestNotifications.notification(1))
        }
        #expect(error?.code == .providerClosed)
        #expect(error?.isSafeToRetry == true)
        await provider.close()
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let provider = try Self.provider()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await provider.send(TestNotifications.notification(1))
        }
        let error = await #expect(throws: APNSSendError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.isSafeToRetry == true)
        await provider.close()
    }

    @Test func `a bulk send takes no more from its source than its window`() async throws {
        let provider = try Self.provider()
        let source = Self.invalid(5000)
        var iterator = provider.send(all: source, window: 50).makeAsyncIterator()
        var read = 0
        while try await iterator.next() != nil {
            read += 1
            #expect(source.taken.load(ordering: .relaxed) <= read + 50)
        }
        #expect(read == 5000)
        await provider.close()
    }

    @Test func `each notification of a bulk send has one result, in the order of the source`() async throws {
        let provider = try Self.provider()
        var indices: [Int] = []
        for try await result in provider.send(all: Self.invalid(2000)) { indices.append(result.index) }
        #expect(indices == Array(0..<2000))
        await provider.close()
    }

    @Test func `cancelling the reader of a bulk send ends it with every result`() async throws {
        let provider = try Self.provider()
        let source = Self.invalid(.max)
        let task = Task {
            var tally = Tally()
            for try await result in provider.send(all: source, window: 1000) {
                tally.count(result)
                if tally.indices.count == 2500 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return tally
        }
        let tally = try await task.value
        #expect(tally.indices.count == source.taken.load(ordering: .relaxed))
        #expect(tally.repeated == 0 && tally.unsent >= 2500)
        await provider.close()
    }

    @Test func `a source that is always ready leaves the event loop time for other work`() async throws {
        let provider = try Self.provider()
        let sent = DispatchSemaphore(value: 0)
        let results = Mutex<APNSSendResults?>(nil)
        let source = Numbers(count: 100_000) { number in
            if number == 0 {
                sent.wait()
                results.withLock { $0?.stop() }
            }
            return TestNotifications.invalid(number)
        }
        // The window is never full, so nothing but a pause lets the event loop carry out `stop`.
        let sending = provider.send(all: source, window: .max)
        results.withLock { $0 = sending }
        sent.signal()
        var tally = Tally()
        for try await result in sending { tally.count(result) }
        let taken = source.taken.load(ordering: .relaxed)
        #expect(taken <= 2 * BulkRun.turnLength)
        #expect(tally.indices.count == taken)
        results.withLock { $0 = nil }
        await provider.close()
    }

    @Test func `what waits for a connection can be ended without closing`() async throws {
        let provider = try Self.provider()
        let channelID = try #require(ChannelID("dHN0LXNyY2gtY2hubA=="))
        let app = try #require(Topic("com.example.app"))
        let isDone = Atomic(false)
        let task = Task {
            defer { isDone.store(true, ordering: .releasing) }
            _ = try await provider.send(
                APNSBroadcast(
                    to: channelID, of: app, expiration: .once,
                    payload: Array(#"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#.utf8)))
        }
        while !isDone.load(ordering: .acquiring) {
            provider.stopWaiting()
            await Task.yield()
        }
        let error = await #expect(throws: APNSSendError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.isSafeToRetry == true)
        await provider.close()
    }

    @Test func `dropping the iterator stops the send`() async throws {
        let provider = try Self.provider()
        let source = Self.invalid(.max)
        for try await _ in provider.send(all: source, window: 100) { break }
        await source.wasReleased()
        await provider.close()
    }

    @Test func `an error of the source comes after all results`() async throws {
        struct Broken: Error {}
        let provider = try Self.provider()
        let source = AsyncThrowingStream<APNSNotification, any Error> { continuation in
            for number in 0..<10 { continuation.yield(TestNotifications.invalid(number)) }
            continuation.finish(throwing: Broken())
        }
        var tally = Tally()
        await #expect(throws: Broken.self) {
            for try await result in provider.send(all: source) { tally.count(result) }
        }
        #expect(tally.unsent == 10)
        await provider.close()
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing ends a bulk send whose source never ends`() async throws {
        let provider = try Self.provider()
        let source = Self.invalid(.max)
        var tally = Tally()
        for try await result in provider.send(all: source, window: 500) {
            tally.count(result)
            if tally.indices.count == 1 { await provider.close() }
        }
        #expect(tally.indices.count == source.taken.load(ordering: .relaxed))
        #expect(tally.unknown == 0 && tally.repeated == 0)
    }

    @Test(.timeLimit(.minutes(10)))
    func `stopping ends a bulk send whose source waits for its next element`() async throws {
        let provider = try Self.provider()
        let (source, input) = AsyncStream.makeStream(of: APNSNotification.self)
        input.yield(TestNotifications.invalid())
        let results = provider.send(all: source)
        var tally = Tally()
        for try await result in results {
            tally.count(result)
            results.stop()
        }
        #expect(tally.unsent == 1)
        await provider.close()
        input.finish()
    }
}
