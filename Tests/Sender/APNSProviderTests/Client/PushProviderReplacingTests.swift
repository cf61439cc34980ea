import APNSModel
import APNSProvider
import Synchronization
import Testing

/// Replacing connections, over sockets.
struct PushProviderReplacingTests {
    @Test func `after Shutdown the next notification goes over a new connection`() async throws {
        try await ScriptedGateway.with(script: { $0.connection == 0 ? .refuse(.shutdown) : .accept }) {
            gateway, configuration in
            let provider = try PushProvider(configuration)
            let first = try await provider.send(TestNotifications.notification(1))
            #expect(first.reason?.retry == .onNewConnection)
            #expect(try await provider.send(TestNotifications.notification(2)).isAccepted)
            #expect(try await provider.send(TestNotifications.notification(3)).isAccepted)
            await provider.close()
            #expect(gateway.log.withLock { $0.requests.map(\.connection) } == [0, 1, 1])
        }
    }

    @Test func `connections are replaced on demand`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            await provider.replaceConnections()  // there is none yet
            #expect(try await provider.send(TestNotifications.notification(1)).isAccepted)
            await provider.replaceConnections()
            #expect(try await provider.send(TestNotifications.notification(2)).isAccepted)
            await provider.close()
            #expect(gateway.log.withLock { $0.requests.map(\.connection) } == [0, 1])
        }
    }
}
