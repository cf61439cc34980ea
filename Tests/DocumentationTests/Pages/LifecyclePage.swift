import APNSProvider
import ServiceLifecycle

struct PushService: Service {
    let provider: PushProvider

    func run() async throws {
        await withGracefulShutdownHandler {
            await provider.run()
        } onGracefulShutdown: {
            Task { await provider.close(within: .seconds(20)) }
        }
    }
}
