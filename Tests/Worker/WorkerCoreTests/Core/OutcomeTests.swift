import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// What becomes of pushes.
@Suite struct OutcomeTests {
    @Test func `an accepted job leaves the queue, and nothing follows`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        bench.finish(bench.send()) { $0.accepted }
        #expect(bench.settle() == [.settled])
        #expect(bench.status.backlog + bench.status.pending + bench.status.later + bench.status.dead == 0)
        #expect(bench.core.counts.total(of: "accepted") == 2)
        #expect(bench.core.isIdle && bench.core.waiting == 0 && bench.core.inFlight == 0)
    }

    @Test func `a job is settled only when each of its lines has its end`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let pushes = bench.send()
        bench.finish(pushes[0], pushes[0].accepted)
        #expect(bench.settle().isEmpty)
        bench.finish(pushes[1], pushes[1].accepted)
        #expect(bench.settle() == [.settled])
    }

    @Test func `a dead device token goes to feedback with its timestamp`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme")])
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        let push = bench.send()[0]
        bench.finish(push, .refused(.unregistered, timestamp: 1_454_402_113_000))
        bench.settle()
        let id = try #require(push.notification.id).text
        #expect(
            bench.feedback == [
                #"{"token":"ab01","apns-topic":"com.example.agent","environment":"sandbox","tenant":"acme","#
                    + #""reason":"Unregistered","timestamp":1454402113000,"apns-id":"\#(id)","suspect":false}"#
            ])
    }

    @Test func `a bad device token is a suspect`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()[0], .refused(.badDeviceToken))
        bench.settle()
        #expect(bench.feedback.count == 1)
        #expect(bench.feedback[0].contains(#""suspect":true"#) && bench.feedback[0].contains(#""tenant":null"#))
        #expect(bench.core.pauses.allSatisfy { !$0.isPaused })
    }

    @Test func `a surge of suspects pauses the tenant, and the rest of its pushes is kept`() throws {
        var bench = Bench()
        for number in 0..<50 { try bench.enqueue([Bench.envelope("ab\(number + 10)")]) }
        let pushes = bench.send()
        #expect(pushes.count == 50)
        for push in pushes.prefix(20) { bench.finish(push, .refused(.badDeviceToken)) }
        #expect(bench.core.pauses.allSatisfy { $0.isPaused })
        let events = bench.core.takeEvents(at: bench.now)
        #expect(events.count == 1)
        guard case .tenantPaused(_, "BadDeviceToken", let why, _) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(why.hasSuffix("those that were answered are in the feedback as suspect, the rest waits"))
        bench.settle()
        #expect(bench.feedback.count == 20)
        try bench.enqueue([Bench.envelope("ab99")])
        #expect(bench.send().isEmpty)
        // The probe is refused in the same way, so the pause is longer; then the environment is right.
        bench.pass(.seconds(40))
        let probe = bench.send()
        #expect(probe.count == 1)
        bench.finish(probe[0], .refused(.badDeviceToken))
        #expect(bench.core.pauses.allSatisfy { $0.isPaused })
        bench.pass(.seconds(31))
        #expect(bench.send().isEmpty)
    }

    @Test func `another refusal goes to the dead letter with reason and history`() throws {
        var bench = Bench()
        let line = Bench.envelope("ab01")
        try bench.enqueue([line, Bench.envelope("ab02")], attempt: 2)
        let pushes = bench.send()
        bench.finish(pushes[0], .refused(.payloadTooLarge))
        bench.finish(pushes[1], pushes[1].accepted)
        bench.settle()
        let dead = try #require(bench.dead.first)
        #expect(bench.dead.count == 1)
        #expect(dead.reason == "PayloadTooLarge")
        let advice = "shorten the payload: it has more bytes than its push type allows"
        #expect(dead.why == "APNs refused it with status 413; \(advice)")
        #expect(dead.content.attempt == 3)
        #expect(dead.content.body == Array(line.utf8))
        let context = JobContext(dead.content.context)
        #expect(context.ids == [pushes[0].notification.id?.text])
        #expect(context.history.map(\.reason) == ["PayloadTooLarge"])
        #expect(bench.core.counts.total(of: "dead") == 1)
    }

    @Test func `lines that are dead are found again between blank ones`() throws {
        var bench = Bench()
        let lines = ["ab01", "ab02", "ab03"].map { Bench.envelope($0) }
        try bench.enqueue(["", lines[0], "  ", lines[1] + "\r", "", lines[2], ""])
        bench.finish(bench.send()) { $0.token == "ab02" ? $0.accepted : .refused(.payloadTooLarge) }
        bench.settle()
        #expect(bench.dead.map(\.content.text).sorted() == [lines[0], lines[2]])
    }

    @Test func `an unreadable line is dead, and the others of its job are sent`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), "{ nonsense", Bench.envelope("ab02")])
        let pushes = bench.send()
        #expect(pushes.map(\.token) == ["ab01", "ab02"])
        bench.finish(pushes) { $0.accepted }
        bench.settle()
        #expect(bench.dead.map(\.content.text) == ["{ nonsense"])
        #expect(bench.dead.map(\.reason) == ["not-an-envelope"])
        // Ids count lines, so a bad line does not move those behind it.
        let job = try #require(JobContext(bench.dead[0].content.context).ids.first)
        #expect(Set([job] + pushes.compactMap(\.notification.id?.text)).count == 3)
    }

    @Test func `500 and 503 wait by the ladder with the same apns-id, and are dead after the last attempt`() throws {
        var settings = WorkerSettings()
        settings.attempts = 3
        settings.ladder.jitter = 0
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01")])
        var ids: Set<String> = []
        for wait in [30, 120] as [Int64] {
            let push = bench.send()[0]
            ids.insert(push.notification.id!.text)
            bench.finish(push, .refused(.serviceUnavailable))
            bench.settle()
            let later = try #require(bench.later.first)
            #expect(later.due == bench.time + wait * 1000)
            #expect(later.reason == "ServiceUnavailable")
            bench.pass(.seconds(wait))
            #expect(bench.queue.promote(limit: 10, at: bench.time) == 1)
        }
        let push = bench.send()[0]
        ids.insert(push.notification.id!.text)
        bench.finish(push, .refused(.internalServerError))
        bench.settle()
        #expect(ids.count == 1)
        #expect(bench.dead.map(\.reason) == ["InternalServerError"])
        #expect(bench.dead.map(\.content.attempt) == [3])
        let history = JobContext(bench.dead.first?.content.context).history.map(\.reason)
        #expect(history == ["ServiceUnavailable", "ServiceUnavailable", "InternalServerError"])
    }

    @Test func `lines with the same end stay one job`() throws {
        var bench = Bench()
        try bench.enqueue((10..<40).map { Bench.envelope("ab\($0)") })
        bench.finish(bench.send()) { _ in .refused(.serviceUnavailable) }
        bench.settle()
        #expect(bench.later.count < 4, "jitter makes a few groups of 5 s")
        let ids = bench.later.flatMap { JobContext($0.content.context).ids }
        #expect(Set(ids).count == 30)
    }

    @Test func `429 stops one device token only`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()[0], .refused(.tooManyRequests, retryAfter: .seconds(60)))
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let pushes = bench.send()
        #expect(pushes.map(\.token) == ["ab02"])
        bench.finish(pushes) { $0.accepted }
        bench.settle()
        #expect(bench.later.map(\.content.attempt).sorted() == [0, 1])
        #expect(bench.later.allSatisfy { ($0.due ?? 0) >= bench.time + 60_000 })
        bench.pass(.seconds(100))
        try bench.enqueue([Bench.envelope("ab01")])
        #expect(bench.send().map(\.token) == ["ab01"])
    }

    @Test func `a device that may get pushes again makes room for one that may not`() throws {
        var bench = Bench()
        for number in 0..<WorkerCore.maximumResting {
            let device = try #require(DeviceToken(String(0x10_0000 + number, radix: 16)))
            bench.core.resting[device] = bench.now
        }
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()[0], .refused(.tooManyRequests))
        try bench.enqueue([Bench.envelope("ab01")])
        #expect(bench.send().isEmpty)
        #expect(bench.core.resting.count == 1)
    }

    @Test func `refused credentials pause the tenant, without an attempt, and one push asks whether it is over`() throws
    {
        var bench = Bench()
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        #expect(bench.dispatch().isEmpty)
        #expect(bench.core.areAllPaused)
        #expect(bench.reserve() == 0)
        bench.pass(.seconds(37))
        let probe = bench.dispatch()
        #expect(probe.count == 1)
        #expect(bench.dispatch().isEmpty)
        bench.finish(probe[0], probe[0].accepted)
        let rest = bench.dispatch()
        #expect(rest.count == 4)
        bench.finish(rest) { $0.accepted }
        #expect(bench.settle() == [.settled])
        #expect(bench.dead.isEmpty && bench.later.isEmpty)
        #expect(bench.core.takeEvents(at: bench.now).count == 2)
    }

    @Test func `the pause of one tenant leaves the window to the others`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")], tenant: "acme")
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        try bench.enqueue([Bench.envelope("ab03")], tenant: "acme")
        try bench.enqueue([Bench.envelope("ab04")], tenant: "beta")
        #expect(bench.send().map(\.token) == ["ab04"])
        bench.settle()
        #expect(bench.later.allSatisfy { $0.content.attempt == 0 })
        #expect(bench.later.flatMap { JobContext($0.content.context).ids }.count == 3)
        #expect(bench.later.allSatisfy { ($0.due ?? 0) >= bench.time + 30_000 })
        #expect(bench.core.pauses.map(\.isPaused) == [true, false])
    }

    @Test func `without a connection pushes wait behind the breaker of the host`() throws {
        var bench = Bench()
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        bench.finish(bench.send()) { _ in .unreachable }
        #expect(bench.dispatch().isEmpty)
        #expect(bench.core.breakers.map(\.isOpen) == [true])
        bench.pass(.seconds(2))
        let probe = bench.dispatch()
        #expect(probe.count == 1)
        bench.finish(probe[0], .unreachable)
        bench.pass(.seconds(1))
        #expect(bench.dispatch().isEmpty, "the second wait is longer")
        bench.pass(.seconds(2))
        let second = bench.dispatch()
        bench.finish(second) { $0.accepted }
        bench.finish(bench.dispatch()) { $0.accepted }
        #expect(bench.settle() == [.settled])
        #expect(bench.dead.isEmpty && bench.later.isEmpty)
    }

    @Test func `a refused certificate pauses its tenant, and closes the host to nobody`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        bench.finish(bench.send()) { _ in .certificateRefused }
        try bench.enqueue([Bench.envelope("ab02")], tenant: "beta")
        #expect(bench.send().map(\.token) == ["ab02"])
        #expect(bench.core.pauses.map(\.isPaused) == [true, false])
        #expect(bench.core.breakers.map(\.isOpen) == [false])
    }

    @Test func `tenants that connect with other files have breakers of their own`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme", connecting: "acme.pem"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        bench.finish(bench.send()) { _ in .unreachable }
        try bench.enqueue([Bench.envelope("ab02")], tenant: "beta")
        #expect(bench.send().map(\.token) == ["ab02"])
        #expect(bench.core.breakers.map(\.host) == ["https://a.example"])
        #expect(bench.core.breakers.map(\.isOpen) == [true])
    }

    @Test func `after a failed push other tenants of its host try first, also one whose jobs have not come`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")], tenant: "acme")
        bench.finish(bench.send()) { _ in .unreachable }
        try bench.enqueue([Bench.envelope("ab03")], tenant: "beta")
        bench.pass(.milliseconds(1250))
        #expect(bench.dispatch().isEmpty, "beta's job is in the engine still")
        let probe = bench.send()
        #expect(probe.map(\.token) == ["ab03"])
        bench.finish(probe) { $0.accepted }
        #expect(bench.dispatch().count == 2)
    }

    @Test func `where the other tenants of a host have nothing to send, the one that failed tries again`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")], tenant: "acme")
        bench.finish(bench.send()) { _ in .unreachable }
        bench.pass(.milliseconds(1250))
        #expect(bench.send().isEmpty)
        bench.pass(.seconds(1))
        let probe = bench.send()
        #expect(probe.count == 1)
        bench.finish(probe) { $0.accepted }
        #expect(bench.dispatch().count == 1)
    }

    @Test func `an unknown outcome is sent again with the same id, at once and then by the ladder`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        let first = bench.send()
        bench.finish(first) { _ in .lost }
        let second = bench.dispatch()
        #expect(second.map(\.notification) == first.map(\.notification))
        bench.finish(second) { _ in .lost }
        #expect(bench.dispatch().isEmpty)
        bench.settle()
        #expect(bench.later.map(\.content.attempt) == [2])
        #expect(bench.later.map(\.reason) == ["connection-lost"])
        #expect(bench.core.counts.resent == 2)
    }

    @Test func `an unknown outcome is dead where the operator wants that`() throws {
        var settings = WorkerSettings()
        settings.unknown = .dead
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()) { _ in .lost }
        bench.settle()
        #expect(bench.dead.map(\.reason) == ["unknown"])
        #expect(bench.dispatch().isEmpty)
    }

    @Test func `a job that claims the most attempts that can be counted ends with its next one`() throws {
        for outcome in [APNSOutcome.refused(.serviceUnavailable), .refused(.payloadTooLarge), .lost] {
            var bench = Bench()
            try bench.enqueue([Bench.envelope("ab01")], attempt: .max)
            bench.finish(bench.send()) { _ in outcome }
            bench.settle()
            #expect(bench.dead.map(\.content.attempt) == [.max])
        }
    }

    @Test func `results are written where they are asked for`() throws {
        var settings = WorkerSettings()
        settings.writesResults = true
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let pushes = bench.send()
        bench.finish(pushes[0], pushes[0].accepted)
        bench.finish(pushes[1], .refused(.unregistered))
        bench.settle()
        #expect(bench.queue.results.count == 2)
        #expect(bench.queue.results[0].contains(#""outcome":"accepted""#))
        #expect(bench.queue.results[1].contains(#""reason":"Unregistered""#))
    }
}

extension JobContent {
    var text: String { String(decoding: body, as: UTF8.self) }
}
