import APNSModel
import APNSTransport
import Logging
import NIOCore
import NIOPosix
import ProviderToken
import TestSupport

@testable import APNSProvider

/// A provider's loop whose gateway refuses connections, so that its notifications stay queued.
struct QueueingLoop {
    let lanes: [ProviderLane]
    var eventLoop: any EventLoop { lanes[0].eventLoop }
    var loop: NIOLoopBoundBox<ProviderLoop> { lanes[0].loop }
    let output = BulkOutput()

    /// A loop for the length of `body`.
    static func with<Result>(_ body: (QueueingLoop) async throws -> Result) async throws -> Result {
        let port = try HeldPort()
        let queueing = try QueueingLoop(port: port.number)
        let result = try await body(queueing)
        try await queueing.eventLoop.flatSubmit { [loop = queueing.loop] in loop.value.close() }.get()
        return result
    }

    private init(port: Int) throws {
        let configuration = ProviderConfiguration(
            gateway: APNSGateway(host: "127.0.0.1", port: port),
            credentials: .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!))
        lanes = ProviderLane.lanes(
            on: [MultiThreadedEventLoopGroup.singleton.next()],
            shared: ProviderLoop.Shared(
                endpoint: TransportEndpoint(
                    host: configuration.gateway.host, port: configuration.gateway.port,
                    tls: try configuration.tlsContext()), tokens: configuration.tokenSource(),
                configuration: configuration, inbox: Inbox(limit: 1, waitingLimit: 1), logger: Logger(label: "test")))
    }

    /// Runs `body` with a new bulk run, in one turn of the event loop.
    func inOneTurn<Result: Sendable>(
        window: Int = 10, validates: Bool = true,
        _ body: @escaping @Sendable (_ run: BulkRun, _ loop: ProviderLoop, _ output: BulkOutput) throws -> Result
    ) async throws -> Result {
        try await eventLoop.submit { [lanes, loop, output] in
            let run = BulkRun(
                lanes: lanes, output: output, window: window, timeout: .seconds(3600), validates: validates)
            return try body(run, loop.value, output)
        }.get()
    }

    /// All results so far, and the end, once there is one.
    func readToEnd() async -> (results: [APNSSendResult], error: (any Error)?) {
        var all: [APNSSendResult] = []
        while true {
            switch await output.next(isolation: nil) {
            case .results(let results): all += results
            case .end(let error): return (all, error)
            }
        }
    }
}
