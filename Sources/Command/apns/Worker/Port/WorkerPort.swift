import APNSModel
import PayloadJSON
import PushQueue
import ServiceHost
import SystemFiles
import WorkerCore
import WorkerRuntime

/// The port of a worker: health, metrics and the board. It changes nothing.
final class WorkerPort: Sendable {
    private let worker: Worker
    private let status: KeptStatus
    private let name: ConsumerName
    private let host: String

    init(worker: Worker, queue: any JobQueue, name: ConsumerName, host: String) {
        self.worker = worker
        status = KeptStatus(now: { .now }, read: { try? await queue.status() })
        self.name = name
        self.host = host
    }

    func open(_ port: Int) async throws -> ServicePort {
        var options = ServicePort.Options(maximumBodyBytes: 0)
        options.host = host
        options.port = port
        options.changesNothing = true
        return try await ServicePort.open(options, name: "worker") { [self] request in await answer(request) }
    }

    private func answer(_ request: ServiceRequest) async -> ServiceDelivery {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .response(ServiceResponse(status: 405, headers: ["allow": "GET, HEAD"]))
        }
        let access = ControlAccess(host: host, token: nil)
        // A page of another site could otherwise read the board by DNS rebinding.
        guard !LoopbackHost.isLoopback(host) || access.accepts(host: request.headers["host"] ?? host) else {
            return .response(WorkerPort.text("the Host header names another machine\n", status: 403))
        }
        switch request.path {
        case "/live": return .response(WorkerPort.text("live\n"))
        case "/ready":
            let (text, status) = WorkerPort.readiness(worker.view)
            return .response(WorkerPort.text(text, status: status))
        case "/metrics":
            let text = WorkerMetrics.text(worker.view, await status.status)
            return .response(
                ServiceResponse(
                    status: 200, headers: ["content-type": "text/plain;version=0.0.4;charset=UTF-8"],
                    body: Array(text.utf8)))
        case "/api/status": return .response(.json(Array(await board().utf8)))
        case "/api/events": return .stream(events())
        case "/": return .response(WorkerBoard.response)
        default: return .response(WorkerPort.text("there is no such path\n", status: 404))
        }
    }

    private static func text(_ text: String, status: Int = 200) -> ServiceResponse {
        ServiceResponse(
            status: status, headers: ["content-type": "text/plain;charset=UTF-8", "cache-control": "no-store"],
            body: Array(text.utf8))
    }

    /// The answer to `/ready`: whether it can work, and each gateway that cannot be reached.
    static func readiness(_ view: WorkerView) -> (text: String, status: Int) {
        let unreachable = view.breakers.filter { $0.isOpen }.map { "\($0.host) cannot be reached\n" }.joined()
        return ("\(view.obstacle ?? "ready")\n\(unreachable)", view.isReady ? 200 : 503)
    }

    private func board() async -> String { WorkerBoard.json(name.text, worker.view, await status.status) }

    /// The board as an event each second, for at most an hour; then the page connects again.
    private func events() -> ServiceStream {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(2))
        let task = Task {
            for _ in 0..<3600 {
                continuation.yield(Array("event: status\ndata: \(await board())\n\n".utf8))
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
            }
            continuation.finish()
        }
        return ServiceStream(stream, onWritten: { _ in }, onStart: { _ in }, onEnd: { task.cancel() })
    }
}
