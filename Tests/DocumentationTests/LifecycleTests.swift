import APNSProvider
import Logging
import ProviderToken
import ServiceLifecycle
import Testing

struct LifecycleTests {
    @Test(.timeLimit(.minutes(10)))
    func `the service of the page ends when its group is shut down gracefully`() async throws {
        let provider = try PushProvider(
            ProviderConfiguration(
                gateway: APNSGateway(host: "127.0.0.1", port: 1),
                credentials: .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)))
        let group = ServiceGroup(services: [PushService(provider: provider)], logger: Logger(label: "test"))
        let run = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await run.value
    }
}
