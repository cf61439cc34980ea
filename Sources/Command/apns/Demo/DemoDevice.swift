import APNSModel
import DeviceSimulator
import GatewayServer

/// A simulated device in this process: its connection to the gateway, and what its app makes of each push.
final class DemoDevice<Handled: Sendable>: Sendable {
    let token: DeviceToken
    private let name: String
    private let results: AsyncStream<Handled>
    private let listening: Task<Void, any Error>

    /// How long to wait for the next push.
    private static var deadline: Duration { .seconds(30) }

    /// Registers with the gateway, and listens.
    ///
    /// - Parameter app: Handles a push. The next one waits for it.
    init(
        _ name: String, at gateway: RunningGateway, app: @escaping @Sendable (DeliveredPush) async -> Handled
    ) async throws {
        guard let endpoint = ControlEndpoint(url: gateway.controlURL, token: nil) else {
            throw CommandError("the gateway has no address")
        }
        let connection = DeviceConnection(endpoint, topic: DemoBackEnd.topic)
        let token = try await connection.register(nil)
        self.name = name
        self.token = token
        let (stream, continuation) = AsyncStream.makeStream(of: Handled.self)
        let (connected, isConnected) = AsyncStream.makeStream(of: Void.self)
        results = stream
        listening = Task {
            defer { isConnected.finish() }
            try await connection.listen(token) { event in
                switch event {
                case .connected: isConnected.finish()
                case .delivered(let push): continuation.yield(await app(push))
                case .gap, .moved, .disconnected: break
                }
            }
        }
        for await _ in connected {}
    }

    func stop() async {
        listening.cancel()
        _ = await listening.result
    }

    /// What the app made of the next pushes.
    func handled(_ count: Int) async throws -> [Handled] {
        let results = results
        return try await withThrowingTaskGroup(of: [Handled].self) { group in
            group.addTask {
                var all: [Handled] = []
                guard count > 0 else { return all }
                for await result in results {
                    all.append(result)
                    if all.count == count { break }
                }
                return all
            }
            group.addTask { [name] in
                try await Task.sleep(for: DemoDevice.deadline)
                throw CommandError("the \(name) did not get its pushes in time", .no)
            }
            defer { group.cancelAll() }
            let first = try await group.next() ?? []
            // A cancelled stream ends early.
            try Task.checkCancellation()
            return first
        }
    }
}
