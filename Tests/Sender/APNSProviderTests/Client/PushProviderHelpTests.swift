import APNSModel
import APNSProvider
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Event loops that open connections for each other, and event loops that end after their provider.
@Suite(.timeLimit(.minutes(10)))
struct PushProviderHelpTests {
    private static func with(
        firstStreamLimit: UInt32, script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        _ body: (PushProvider, ScriptedGateway, MultiThreadedEventLoopGroup) async throws -> Void
    ) async throws {
        try await ScriptedGateway.with(firstStreamLimit: firstStreamLimit, script: script) { gateway, configuration in
            var configuration = configuration
            (configuration.connections, configuration.eventLoops) = (2, 2)
            (configuration.timeout, configuration.pingAfterSilence) = (.seconds(3600), .seconds(3600))
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
            try await body(try PushProvider(configuration, eventLoopGroup: group), gateway, group)
        }
    }

    @Test func `notifications that wait at one event loop open the connection of the other`() async throws {
        // All tasks run on one event loop, whose connection answers once and keeps its other streams for ever.
        let isAnswered = Atomic(false)
        try await Self.with(
            firstStreamLimit: 10,
            script: { request in
                request.connection > 0 || !isAnswered.exchange(true, ordering: .relaxed) ? .accept : .silence
            }
        ) { provider, gateway, group in
            let executor = provider.executor
            await withTaskGroup(of: Bool.self) { tasks in
                for number in 0..<30 {
                    tasks.addTask(executorPreference: executor) {
                        (try? await provider.send(TestNotifications.notification(number)))?.isAccepted == true
                    }
                }
                var accepted = 0
                while accepted < 20, let isAccepted = await tasks.next() { accepted += isAccepted ? 1 : 0 }
                #expect(accepted == 20)
                tasks.cancelAll()
            }
            #expect(gateway.log.withLock { $0.connections } == 2)
            await provider.close()
            try await group.shutdownGracefully()
        }
    }

    @Test func `a closed provider needs its event loops no longer`() async throws {
        try await Self.with(firstStreamLimit: 100, script: { _ in .accept }) { provider, _, group in
            let results = provider.send(all: Numbers(count: 10))
            for try await _ in results {}
            await provider.close()
            try await group.shutdownGracefully()
            // Each of these would wait for ever for an event loop that has ended.
            await provider.close()
            await provider.close(within: .seconds(1))
            await provider.replaceConnections()
            await provider.run()
            results.stop()
            let error = await #expect(throws: APNSSendError.self) {
                try await provider.send(TestNotifications.notification(1))
            }
            #expect(error?.code == .providerClosed)
        }
    }
}
