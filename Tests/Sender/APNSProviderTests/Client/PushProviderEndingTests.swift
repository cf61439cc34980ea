import APNSModel
import APNSProvider
import Dispatch
import Synchronization
import Testing

/// How sends end: with the provider, with their tasks, and with their readers.
struct PushProviderEndingTests {
    private typealias Request = ScriptedGateway.Request

    /// A gateway that answers nothing, and a provider whose notifications have an hour.
    private static func withSilentGateway(
        firstStreamLimit: UInt32 = 1000, change: (inout ProviderConfiguration) -> Void = { _ in },
        _ body: (PushProvider, _ arrivals: AsyncStream<Void>) async throws -> Void
    ) async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let script: @Sendable (Request) -> ScriptedGateway.Answer = { _ in
            arrived.continuation.yield()
            return .silence
        }
        try await ScriptedGateway.with(firstStreamLimit: firstStreamLimit, script: script) { _, configuration in
            var configuration = configuration
            configuration.timeout = .seconds(3600)
            change(&configuration)
            try await body(try PushProvider(configuration), arrived.stream)
        }
    }

    /// Returns when the provider accepts nothing more.
    private static func isClosing(_ provider: PushProvider) async throws {
        while true {
            for try await result in provider.send(all: Numbers(count: 1) { TestNotifications.invalid($0) }) {
                if result.outcome.error?.code == .providerClosed { return }
            }
        }
    }

    private static func error(_ provider: PushProvider, _ number: Int) async -> APNSSendError? {
        do throws(APNSSendError) {
            _ = try await provider.send(TestNotifications.notification(number))
            return nil
        } catch { return error }
    }

    private static func tally(_ results: APNSSendResults) async throws -> Tally {
        var tally = Tally()
        for try await result in results { tally.count(result) }
        return tally
    }

    @Test(.timeLimit(.minutes(10)))
    func `a task that is cancelled while the provider closes ends`() async throws {
        try await Self.withSilentGateway { provider, arrivals in
            let task = Task { await Self.error(provider, 1) }
            for await _ in arrivals { break }
            async let closed: Void = provider.close()
            try await Self.isClosing(provider)
            task.cancel()
            let error = await task.value
            #expect(error?.code == .cancelled && error?.isSafeToRetry == false)
            await closed
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing ends a bulk send whose source gives nothing`() async throws {
        try await Self.withSilentGateway { provider, _ in
            let (source, input) = AsyncStream.makeStream(of: APNSNotification.self)
            let results = provider.send(all: source)
            let reader = Task { try await Self.tally(results) }
            await provider.close()
            let tally = try await reader.value
            #expect(tally == Tally())
            input.finish()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `stopping a bulk send is reported, also when its provider is closed`() async throws {
        try await Self.withSilentGateway { provider, _ in
            let (source, input) = AsyncStream.makeStream(of: APNSNotification.self)
            let results = provider.send(all: source)
            let stopped = AsyncStream.makeStream(of: Void.self)
            results.stop { stopped.continuation.yield() }
            for await _ in stopped.stream { break }
            await provider.close()
            let hasStopped = Atomic(false)
            results.stop { hasStopped.store(true, ordering: .releasing) }
            let isTold = hasStopped.load(ordering: .acquiring)
            #expect(isTold)
            input.finish()
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [Duration.milliseconds(1), nil])
    func `closing ends a bulk send whose source ignores cancellation`(limit: Duration?) async throws {
        try await Self.withSilentGateway { provider, _ in
            let source = StuckSource()
            let results = provider.send(all: source)
            let reader = Task { try await Self.tally(results) }
            if let limit { await provider.close(within: limit) } else { await provider.close() }
            let tally = try await reader.value
            #expect(tally == Tally())
            await source.release()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `at the limit of closing, what was written is unknown and what was queued unsent`() async throws {
        try await Self.withSilentGateway(firstStreamLimit: 1) { provider, arrivals in
            let results = provider.send(all: Numbers(count: 10))
            let task = Task { try await Self.tally(results) }
            for await _ in arrivals { break }
            await provider.close(within: .milliseconds(1))
            let tally = try await task.value
            #expect(tally.unknown == 1 && tally.unsent == 9 && tally.repeated == 0)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a later and shorter limit of closing counts`() async throws {
        try await Self.withSilentGateway { provider, arrivals in
            let task = Task { await Self.error(provider, 1) }
            for await _ in arrivals { break }
            async let closed: Void = provider.close()
            async let closedToo: Void = provider.close(within: .seconds(3600))
            try await Self.isClosing(provider)
            await provider.close(within: .milliseconds(1))
            let error = await task.value
            #expect(error?.code == .providerClosed && error?.isSafeToRetry == false)
            _ = await (closed, closedToo)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `of the calls that wait, one more than the maximum fails with that reason`() async throws {
        try await Self.withSilentGateway { configuration in
            configuration.maximumPending = 1
            configuration.maximumWaiting = 1
        } _: { provider, arrivals in
            // On the provider's event loop, so that they are submitted in this order.
            let error = await Task(executorPreference: provider.executor) { () -> APNSSendError? in
                async let _ = Self.error(provider, 1)
                async let _ = Self.error(provider, 2)
                await Task.yield()
                return await Self.error(provider, 3)
                // Leaving the scope cancels the others.
            }.value
            #expect(error?.code == .queueFull && error?.isSafeToRetry == true)
            #expect(error?.detail == "1 calls of send wait already, the maximum of the configuration; nothing was sent")
            await provider.close()
        }
    }

    // MARK: run()

    /// What swift-service-lifecycle asks of a service.
    private protocol Service: Sendable {
        func run() async throws
    }

    private struct ProviderService: Service {
        let provider: PushProvider

        func run() async throws { await provider.run() }
    }

    @Test(.timeLimit(.minutes(10)))
    func `run ends when its task is cancelled, after the answers of in-flight requests`() async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let answers = DispatchSemaphore(value: 0)
        let script: @Sendable (Request) -> ScriptedGateway.Answer = { _ in
            arrived.continuation.yield()
            answers.wait()
            return .accept
        }
        try await ScriptedGateway.with(script: script) { _, configuration in
            var configuration = configuration
            configuration.timeout = .seconds(3600)
            configuration.closeTimeout = .seconds(3600)
            let provider = try PushProvider(configuration)
            let service = Task { try await ProviderService(provider: provider).run() }
            let send = Task { try await provider.send(TestNotifications.notification(1)) }
            for await _ in arrived.stream { break }
            service.cancel()
            try await Self.isClosing(provider)
            answers.signal()
            let reply = try await send.value
            #expect(reply.isAccepted)
            try await service.value
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `run ends at the limit of closing, though nothing was answered`() async throws {
        try await Self.withSilentGateway {
            $0.closeTimeout = .milliseconds(1)
        } _: { provider, arrivals in
            let service = Task { await provider.run() }
            let send = Task { await Self.error(provider, 1) }
            for await _ in arrivals { break }
            service.cancel()
            await service.value
            let error = await send.value
            #expect(error?.code == .providerClosed && error?.isSafeToRetry == false)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `run ends when the provider is closed, and at once when it was closed before`() async throws {
        try await Self.withSilentGateway { provider, _ in
            let service = Task { await provider.run() }
            await provider.close()
            await service.value
            await provider.run()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a bulk send whose results are dropped unread reads no more of its source`() async throws {
        try await Self.withSilentGateway { provider, _ in
            let source = Numbers(count: .max) { TestNotifications.invalid($0) }
            _ = provider.send(all: source, window: 100)
            await source.wasReleased()
            #expect(source.taken.load(ordering: .relaxed) <= 100)
            await provider.close()
        }
    }

    @Test func `a reader that stops reading bounds what is taken from the source`() async throws {
        try await Self.withSilentGateway { provider, _ in
            let source = Numbers(count: 1000) { TestNotifications.invalid($0) }
            var iterator = provider.send(all: source, window: 100).makeAsyncIterator()
            _ = try await iterator.next()
            // The source has run as far as it can when a send that began later has ended.
            _ = try await Self.tally(provider.send(all: Numbers(count: 500) { TestNotifications.invalid($0) }))
            #expect(source.taken.load(ordering: .relaxed) <= 101)
            await provider.close()
        }
    }

    @Test func `a second reader of the results stops the process with a message`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await PushProviderEndingTests.withSilentGateway { provider, _ in
                let results = provider.send(all: Numbers(count: 1) { TestNotifications.invalid($0) })
                for try await _ in results {}
                for try await _ in results {}
            }
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("read once"))
    }
}

/// Gives nothing and ignores cancellation, until it is released.
private final class StuckSource: AsyncSequence, Sendable {
    typealias Element = APNSNotification

    private let isWaited = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    func release() async {
        for await continuation in isWaited.stream { return continuation.resume() }
    }

    struct Iterator: AsyncIteratorProtocol {
        let source: StuckSource

        func next() async -> APNSNotification? {
            await withCheckedContinuation { _ = source.isWaited.continuation.yield($0) }
            return nil
        }
    }
}

extension APNSOutcome {
    fileprivate var error: APNSSendError? {
        switch self {
        case .unsent(let error), .unknown(let error): error
        case .accepted, .refused: nil
        }
    }
}
