import APNSProvider
import MetricsTestKit
import NIOCore
import NIOPosix
import ProviderMetrics
import ProviderToken
import ProviderTracing
import Testing
import Tracing

/// What docs/sending.md shows of event loops, metrics and tracing.
struct SendingPageLoops {
    private static func configuration() throws -> ProviderConfiguration {
        ProviderConfiguration(
            gateway: APNSGateway(host: "127.0.0.1", port: 1),
            credentials: .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!))
    }

    @Test func `the page's provider with several event loops`() async throws {
        var configuration = try Self.configuration()
        configuration.eventLoops = 2
        configuration.connections = 4
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        try await PushProvider(configuration, eventLoopGroup: group).close()
        try await group.shutdownGracefully()
    }

    @Test func `the page's metrics`() async throws {
        var configuration = try Self.configuration()
        let factory = TestMetrics()
        configuration.metrics = PushMetrics(factory, dimensions: [("team", "TEAM123456")])
        try await PushProvider(configuration).close()
        #expect(!factory.meters.isEmpty)
        configuration.metrics = .none
        try await PushProvider(configuration).close()
    }

    @Test func `the page's tracing`() async throws {
        var configuration = try Self.configuration()
        let tracer = NoOpTracer()
        configuration.tracing = PushTracing(tracer)
        try await PushProvider(configuration).close()
    }
}
