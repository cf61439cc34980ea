import APNSProvider
import GatewayTesting
import MemoryQueue
import PushQueue
import Synchronization
import TestSupport
import Testing
import WorkerCore

@testable import WorkerRuntime

/// What becomes of scheduled jobs when a worker reads its credentials again.
@Suite struct WorkerReloadTests {
    /// The settlement of a job that is for later.
    private func schedule(_ setup: Setup, tenant: String?, reason: String) async throws {
        try await setup.enqueue(1, tenant: tenant)
        let name = try #require(ConsumerName("other"))
        let jobs = try await setup.queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(90), as: name).jobs
        let job = try #require(jobs.first)
        var settlement = Settlement(job.id)
        settlement.later = [LaterContent(job.content, due: .after(.seconds(900)), reason: reason, why: "")]
        _ = try await setup.queue.settle([settlement], resultsKept: 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `new credentials make ready what a pause has scheduled for later`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let key = try gateway.addKey(id: "KEY0000009")
            var wrong = gateway.configuration
            wrong.credentials = .token(key: gateway.signingKey, keyID: key.keyID, teamID: gateway.teamID)
            let worker = try setup.worker(
                tenants: [setup.tenant("acme", wrong), setup.tenant("beta")], change: { $0.isOnce = false })
            let running = Task { try await worker.run() }
            try await setup.enqueue(1, tenant: "acme")
            #expect(await eventually { setup.queue.model.list(.later, from: nil, limit: 9).elements.count == 1 })
            #expect(worker.view.pauses.map(\.isPaused) == [true, false])
            worker.reload([setup.tenant("acme"), setup.tenant("beta")])
            #expect(worker.view.pauses.map(\.isPaused) == [false, false])
            #expect(await eventually { worker.view.counts.total(of: "accepted") == 1 })
            worker.stop(within: .seconds(5))
            try await running.value
        }
    }

    @Test func `a tenant with another environment keeps all it had, and another rate does not count`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1, tenant: "acme")
            try await setup.enqueue(2, tenant: "beta")
            let key = try gateway.addKey(id: "KEY0000009")
            var wrong = gateway.configuration
            wrong.credentials = .token(key: gateway.signingKey, keyID: key.keyID, teamID: gateway.teamID)
            let worker = try setup.worker(tenants: [setup.tenant("acme"), setup.tenant("beta", wrong)])
            var production = setup.tenant("acme", wrong)
            production.settings.environment = "production"
            var slower = setup.tenant("beta")
            slower.settings.rate = 7
            let reloaded = worker.reload([production, slower])
            #expect(reloaded == ReloadedTenants(moved: ["acme"], limited: ["beta"]))
            var elsewhere = setup.tenant("acme", wrong)
            elsewhere.settings.host = "https://b.example"
            #expect(worker.reload([elsewhere, setup.tenant("beta")]) == ReloadedTenants(moved: ["acme"]))
            try await worker.run()
            #expect(worker.view.counts.total(of: "accepted") == 3)
            #expect(worker.view.rates.isEmpty)
        }
    }

    @Test func `other tenants, other reasons and what is scheduled afterwards wait as before`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await schedule(setup, tenant: "acme", reason: OutcomeTable.deferred)
            try await schedule(setup, tenant: "acme", reason: "InternalServerError")
            try await schedule(setup, tenant: "beta", reason: OutcomeTable.deferred)
            try await schedule(setup, tenant: nil, reason: OutcomeTable.deferred)
            let worker = try setup.worker(tenants: [setup.tenant("acme"), setup.tenant("beta"), setup.tenant()])
            await worker.hurry(["acme"], keptBefore: 0)
            #expect(try await setup.queue.status().later == 4)
            await worker.hurry(["acme"], keptBefore: MonotonicMilliseconds.now)
            #expect(try await setup.queue.status().later == 3)
            #expect(try setup.ready().map(\.content.tenant) == ["acme"])
        }
    }

    @Test func `scheduled jobs that cannot be read are a warning that names the command for them`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            setup.queue.inject(
                [.fail(QueueError(.unreachable, "the engine is away", isTemporary: true))], into: .list)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(notice: { notice in notices.withLock { $0.append(notice) } })
            await worker.hurry([nil], keptBefore: .max)
            let told = notices.withLock { notices in
                notices.compactMap { if case .warning(let text) = $0 { text } else { nil } }
            }
            #expect(told.count == 1 && told.first?.contains("apns worker later retry") == true)
        }
    }
}
