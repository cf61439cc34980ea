import APNSModel
import APNSPayload
import APNSProvider
import GatewayTesting
import MemoryQueue
import PushQueue
import TestSupport
import Testing
import WorkerCore

@testable import WorkerRuntime

/// A worker with a queue in memory, and a gateway over TLS and HTTP/2.
struct Setup {
    let gateway: TestGateway
    let queue = MemoryQueue(
        now: { MonotonicMilliseconds.now }, sleep: { try await Task.sleep(for: $0) })

    func tenant(_ name: String? = nil, _ configuration: ProviderConfiguration? = nil) -> WorkerTenant {
        WorkerTenant(
            settings: TenantSettings(name: name, host: gateway.url, environment: "sandbox"),
            defaults: EnvelopeDefaults(topic: gateway.topic, pushType: .alert),
            open: { [gateway] () throws(ProviderConfigurationError) in
                try PushProvider(configuration ?? gateway.configuration)
            })
    }

    func worker(
        _ name: String = "worker-a", tenants: [WorkerTenant]? = nil,
        notice: @escaping @Sendable (WorkerNotice) -> Void = { _ in },
        change: (inout WorkerSettings) -> Void = { _ in }
    ) throws -> Worker {
        var settings = WorkerSettings()
        settings.isOnce = true
        change(&settings)
        return Worker(
            queue: SharedQueue(queue), tenants: tenants ?? [tenant()],
            options: Worker.Options(name: try #require(ConsumerName(name)), settings: settings), notice: notice)
    }

    func enqueue(_ jobs: Int, lines: Int = 1, tenant: String? = nil) async throws {
        let jobs = (0..<jobs).map { job in
            let lines = (0..<lines).map { line in
                let token = String(job * lines + line + 0x10_0000, radix: 16)
                return #"{"token":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"#
            }
            return NewJob(
                JobContent(lane: .normal, tenant: tenant, body: Array(lines.joined(separator: "\n").utf8)))
        }
        _ = try await queue.enqueue(jobs, options: EnqueueOptions())
    }

    /// How often each `apns-id` was accepted. `TestGateway.notifications` would give a thousand of them at most.
    func accepted() async throws -> [String: Int] {
        try await gateway.require(.accepted(), count: .atLeast(0)).reduce(into: [:]) {
            $0[$1.apnsID, default: 0] += 1
        }
    }

    /// A worker with so many pushes in flight at a gateway that takes them and does not answer.
    func waiting(for pushes: Int) async throws -> (Worker, Task<Void, any Error>) {
        try await enqueue(pushes)
        try gateway.add(.silence(.after), count: nil)
        let worker = try worker(change: { $0.isOnce = false })
        let running = Task { try await worker.run() }
        #expect(await eventually { worker.view.inFlight == pushes && gateway.notifications().count == pushes })
        return (worker, running)
    }

    /// What another worker would get of the queue now. The queue stays as it is.
    func ready() throws -> [Job] {
        var model = queue.model
        let other = try #require(ConsumerName("other"))
        let demand = LaneDemand(.normal, jobs: 100_000)
        return model.reserve([demand], lease: .seconds(90), as: other, at: MonotonicMilliseconds.now).jobs
    }
}
