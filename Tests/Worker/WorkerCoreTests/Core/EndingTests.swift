import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// Leases, stopping, and what a lost answer of the engine leads to.
@Suite struct EndingTests {
    @Test func `leases are extended after a third of their time`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        let push = bench.send()[0]
        #expect(bench.core.leasesToExtend(at: bench.now).isEmpty)
        bench.pass(.seconds(31))
        let jobs = bench.core.leasesToExtend(at: bench.now)
        #expect(jobs.count == 1)
        let lost = bench.queue.extend(jobs, lease: .seconds(90), as: bench.name, at: bench.time)
        bench.core.extended(jobs, lost: lost, start: bench.now)
        bench.pass(.seconds(70))
        bench.finish(push, push.accepted)
        #expect(bench.settle() == [.settled])
    }

    @Test func `nothing is sent after the lease, until the engine says that the job is still held`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 2
        var bench = Bench(settings)
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        let first = bench.send()
        bench.pass(.seconds(91))
        bench.finish(first) { $0.accepted }
        #expect(bench.dispatch().isEmpty)
        let jobs = bench.core.leasesToExtend(at: bench.now)
        bench.core.extended(jobs, lost: [], start: bench.now)
        #expect(!bench.dispatch().isEmpty)
    }

    @Test func `a lease begins when the engine was asked`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        #expect(bench.reserve(waiting: .seconds(40)) == 1)
        #expect(bench.core.leasesToExtend(at: bench.now).count == 1)
        bench.pass(.seconds(51))
        #expect(bench.dispatch().isEmpty)
    }

    @Test func `a job whose lease ended and that comes back to its worker is sent on`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 2
        var bench = Bench(settings)
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        let first = bench.send()
        bench.pass(.seconds(91))
        bench.finish(first) { $0.accepted }
        #expect(bench.dispatch().isEmpty)
        #expect(bench.reserve() == 1)
        #expect(bench.dispatch().map(\.token) == ["ab12", "ab13"])
    }

    @Test func `what waits of a job that another worker has is not sent`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 2
        var bench = Bench(settings)
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        let first = bench.send()
        bench.finish(first[0], first[0].accepted)
        bench.pass(.seconds(91))
        let other = try #require(ConsumerName("b"))
        _ = bench.queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(90), as: other, at: bench.time)
        let jobs = bench.core.leasesToExtend(at: bench.now)
        let lost = bench.queue.extend(jobs, lease: .seconds(90), as: bench.name, at: bench.time)
        bench.core.extended(jobs, lost: lost, start: bench.now)
        #expect(bench.dispatch().isEmpty, "there is room for one")
        bench.finish(first[1], first[1].accepted)
        #expect(bench.settle().isEmpty)
        #expect(bench.core.isIdle && bench.core.inFlight == 0 && bench.core.waiting == 0)
    }

    @Test func `a job that another worker has is not sent on, and not settled in part`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 2
        var bench = Bench(settings)
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        let first = bench.send()
        bench.pass(.seconds(91))
        let other = try #require(ConsumerName("b"))
        let taken = bench.queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(90), as: other, at: bench.time)
        #expect(taken.jobs.map(\.deliveries) == [2])
        let jobs = bench.core.leasesToExtend(at: bench.now)
        let lost = bench.queue.extend(jobs, lease: .seconds(90), as: bench.name, at: bench.time)
        #expect(lost == jobs)
        bench.core.extended(jobs, lost: lost, start: bench.now)
        bench.finish(first) { $0.accepted }
        #expect(bench.dispatch().isEmpty)
        #expect(bench.settle().isEmpty)
        #expect(bench.core.isIdle && bench.core.inFlight == 0)
        #expect(bench.core.counts.lost == 1)
        #expect(bench.status.pending == 1)
    }

    @Test func `a late outcome of a whole job counts, and the second worker's settlement changes nothing`() throws {
        var bench = Bench()
        var second = Bench(name: "worker-b")
        try bench.enqueue([Bench.envelope("ab01")])
        let push = bench.send()[0]
        bench.pass(.seconds(91))
        second.queue = bench.queue
        (second.now, second.time) = (bench.now, bench.time)
        let again = second.send()[0]
        #expect(again.notification == push.notification, "the same apns-id")
        #expect(second.core.counts.redelivered == 1)
        bench.queue = second.queue
        bench.finish(push, push.accepted)
        #expect(bench.settle() == [.settled])
        second.queue = bench.queue
        second.finish(again, .refused(.unregistered))
        #expect(second.settle() == [.notPending])
        #expect(second.feedback.isEmpty)
        #expect(second.core.counts.late == 1)
    }

    @Test func `a worker that stops hands back at once what it did not send`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 3
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02"), Bench.envelope("ab03")])
        try bench.enqueue([Bench.envelope("ab04"), Bench.envelope("ab05")])
        for _ in 0..<2 { bench.reserve() }
        let pushes = bench.dispatch()
        #expect(pushes.map(\.token) == ["ab01", "ab02", "ab03"])
        bench.finish(pushes[0], pushes[0].accepted)
        let next = bench.dispatch()
        #expect(next.map(\.token) == ["ab04"])
        let released = bench.core.drain(at: bench.now)
        #expect(released.isEmpty, "the second job is under way")
        #expect(bench.core.demands(at: bench.now).isEmpty)
        bench.finish(pushes.dropFirst() + next) { $0.accepted }
        #expect(bench.settle() == [.settled, .settled])
        #expect(bench.status.backlog == 1)
        let rest = bench.queue.reserve(
            [LaneDemand(.normal, jobs: 9)], lease: .seconds(9), as: bench.name, at: bench.time)
        #expect(rest.jobs.map(\.content.text) == [Bench.envelope("ab05")])
        #expect(JobContext(rest.jobs[0].content.context).ids.count == 1)
        #expect(rest.jobs[0].content.attempt == 0)
    }

    @Test func `a job of which nothing was sent is released whole`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        bench.reserve()
        let released = bench.core.drain(at: bench.now)
        #expect(released.count == 1)
        bench.queue.release(released, as: bench.name, at: bench.time)
        #expect(bench.core.isIdle)
        var next = Bench(name: "worker-b")
        next.queue = bench.queue
        #expect(next.send().count == 2)
        #expect(next.core.counts.redelivered == 0)
    }

    @Test func `each line of a job that comes while the worker stops has one end`() throws {
        var bench = Bench()
        let id = #","apns-collapse-id":"score""#
        try bench.enqueue([
            Bench.envelope("ab01", id), Bench.envelope("ab01", id + #","apns-priority":5"#),
            Bench.envelope("ab02", #","apns-expiration":\#(bench.time / 1000 - 1)"#), "no JSON",
        ])
        #expect(bench.reserve(stops: true) == 1)
        #expect(bench.settle() == [.settled])
        #expect(bench.core.isIdle && bench.core.unsettledLines == 0)
        #expect(bench.core.takeSettlements(10, at: bench.now).isEmpty)
        #expect(["superseded", "expired"].map { bench.core.counts.total(of: $0) } == [1, 1])
        #expect(bench.dead.count == 1)
        let rest = bench.queue.reserve(
            [LaneDemand(.normal, jobs: 9)], lease: .seconds(9), as: bench.name, at: bench.time)
        #expect(rest.jobs.map(\.content.text) == [Bench.envelope("ab01", id + #","apns-priority":5"#)])
    }

    @Test func `what has no answer when the worker stops is ready again, as an attempt`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        let push = bench.send()
        _ = bench.core.drain(at: bench.now)
        bench.finish(push) { _ in .lost }
        #expect(bench.settle() == [.settled])
        let jobs = bench.queue.reserve(
            [LaneDemand(.normal, jobs: 9)], lease: .seconds(9), as: bench.name, at: bench.time)
        #expect(jobs.jobs.map(\.content.attempt) == [1])
        #expect(JobContext(jobs.jobs[0].content.context).ids == [push[0].notification.id?.text])
    }

    @Test func `a push in doubt that waits again is handed back as an attempt, and not released`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let pushes = bench.send()
        bench.finish(pushes[0], .lost)
        bench.finish(pushes[1], .unreachable)
        #expect(bench.core.drain(at: bench.now).isEmpty)
        #expect(bench.settle() == [.settled])
        let jobs = bench.queue.reserve(
            [LaneDemand(.normal, jobs: 9)], lease: .seconds(9), as: bench.name, at: bench.time
        ).jobs
        let attempts = Dictionary(uniqueKeysWithValues: jobs.map { ($0.content.text, $0.content.attempt) })
        #expect(attempts == [Bench.envelope("ab01"): 1, Bench.envelope("ab02"): 0])
    }

    @Test func `settlements that the engine did not get come again`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        try bench.enqueue([Bench.envelope("ab02")])
        bench.finish(bench.send()) { $0.accepted }
        let first = bench.core.takeSettlements(10, at: bench.now)
        #expect(bench.core.takeSettlements(10, at: bench.now).isEmpty, "one batch at a time")
        bench.core.settlingFailed()
        #expect(bench.core.takeSettlements(10, at: bench.now) == first)
    }

    @Test func `new credentials end the pause with the next push`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        #expect(bench.dispatch().isEmpty)
        bench.core.credentialsChanged(at: bench.now)
        let probe = bench.dispatch()
        #expect(probe.count == 1)
        bench.finish(probe) { $0.accepted }
        #expect(bench.dispatch().count == 1)
    }

    @Test func `new credentials end the pause of a tenant for which nothing waits, until they fail too`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        bench.settle()
        #expect(bench.core.isIdle && bench.core.pauses.map(\.isPaused) == [true, false])
        #expect(bench.core.blockedTenants == ["acme"])
        bench.core.credentialsChanged(at: bench.now)
        #expect(bench.core.pauses.map(\.isPaused) == [false, false])
        try bench.enqueue([Bench.envelope("ab02"), Bench.envelope("ab03")], tenant: "acme")
        let probe = bench.send()
        #expect(probe.count == 1)
        bench.finish(probe) { _ in .refused(.invalidProviderToken) }
        #expect(bench.core.pauses.map(\.isPaused) == [true, false])
    }

    @Test func `new credentials are tried while a push tries the old ones, whose outcome counts no more`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02"), Bench.envelope("ab03")])
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        bench.pass(.seconds(37))
        let old = bench.dispatch()
        #expect(old.count == 1)
        bench.core.credentialsChanged(at: bench.now)
        let new = bench.dispatch()
        #expect(new.count == 1)
        bench.finish(old) { _ in .refused(.invalidProviderToken) }
        bench.finish(new) { $0.accepted }
        #expect(bench.core.pauses.allSatisfy { !$0.isPaused })
        #expect(bench.dispatch().count == 2)
    }

    @Test func `late refusals of the old credentials do not pause the new ones`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let old = bench.send()
        bench.core.credentialsChanged(at: bench.now)
        bench.finish(old[0], .refused(.invalidProviderToken))
        bench.finish(old[1], .unreachable)
        #expect(bench.core.pauses.allSatisfy { !$0.isPaused } && bench.core.breakers.allSatisfy { !$0.isOpen })
        #expect(bench.dispatch().count == 2)
    }

    @Test func `new credentials try an unreachable host at once, also while a push tries it`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        bench.finish(bench.send()) { _ in .unreachable }
        bench.pass(.seconds(2))
        let old = bench.dispatch()
        #expect(old.count == 1)
        bench.core.credentialsChanged(at: bench.now)
        let new = bench.dispatch()
        #expect(new.count == 1)
        bench.finish(old) { $0.accepted }
        #expect(bench.core.breakers.allSatisfy { $0.isOpen }, "the new ones are not proven")
        bench.finish(new) { $0.accepted }
        #expect(bench.core.breakers.allSatisfy { !$0.isOpen })
    }

    @Test func `a worker that runs once leaves what cannot be sent for later`() throws {
        var settings = WorkerSettings()
        settings.isOnce = true
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        bench.settle()
        try bench.enqueue([Bench.envelope("ab03")])
        #expect(bench.send().isEmpty)
        bench.settle()
        #expect(bench.core.isIdle)
        #expect(bench.status.backlog + bench.status.pending == 0)
        #expect(bench.later.flatMap { JobContext($0.content.context).ids }.count == 3)
    }
}
