import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

extension Bench {
    fileprivate mutating func events(isLast: Bool = false) -> [WorkerEvent] {
        core.takeEvents(at: now, isLast: isLast)
    }
}

/// What a worker reports of the dead letter.
@Suite struct DeadLetterTests {
    @Test func `jobs of an unknown tenant are reported once a minute, with their number`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme")])
        for _ in 0..<300 { try bench.enqueue([Bench.envelope("ab01")], tenant: "other") }
        try bench.enqueue([Bench.envelope("ab01")], tenant: "another")
        #expect(bench.send().isEmpty)
        let first = bench.events()
        #expect(first.count == 2)
        #expect(first.contains(.unknownTenant("other", jobs: 300)))
        #expect(first.contains(.unknownTenant("another", jobs: 1)))
        for _ in 0..<5 {
            bench.settle()
            try bench.enqueue([Bench.envelope("ab01")], tenant: "other")
            #expect(bench.send().isEmpty)
            bench.pass(.seconds(10))
            #expect(bench.events().isEmpty)
        }
        bench.pass(.seconds(10))
        #expect(bench.events() == [.unknownTenant("other", jobs: 5)])
        bench.pass(.seconds(60))
        #expect(bench.events().isEmpty)
    }

    @Test func `each reason is reported with its number, and at the end what is left`() throws {
        var bench = Bench()
        try bench.enqueue(["{}", "{}", Bench.envelope("ab01")])
        try bench.enqueue([Bench.envelope("ab02")], tenant: "other")
        bench.finish(bench.send()) { _ in .refused(.payloadTooLarge) }
        #expect(bench.core.counts.total(of: "dead") == 4)
        let reported = bench.events()
        #expect(reported.count == 3)
        #expect(reported.contains(.deadLetter(reason: "PayloadTooLarge", count: 1)))
        #expect(reported.contains(.unknownTenant("other", jobs: 1)))
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()) { _ in .refused(.payloadTooLarge) }
        #expect(bench.events().isEmpty)
        #expect(bench.events(isLast: true) == [.deadLetter(reason: "PayloadTooLarge", count: 1)])
        #expect(bench.events(isLast: true).isEmpty)
    }

    @Test func `a healthy job that was delivered too often is reported`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        let other = try #require(ConsumerName("b"))
        for _ in 0..<25 {
            _ = bench.queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .zero, as: other, at: bench.time)
        }
        #expect(bench.send().isEmpty)
        #expect(bench.events() == [.deadLetter(reason: "never-settled", count: 1)])
    }

    @Test func `very many unknown tenants are counted together`() {
        var meter = DeadLetterMeter()
        for number in 0..<1000 { meter.count(DeadLetterMeter.unknownTenant, of: "tenant-\(number)") }
        meter.count("BadTopic", of: "acme")
        let events = meter.take(at: .zero, isLast: false)
        #expect(events.count == 102 && events.contains(.deadLetter(reason: "BadTopic", count: 1)))
        #expect(events.contains(.deadLetter(reason: "unknown-tenant", count: 900)))
        #expect(meter.take(at: .zero, isLast: true).isEmpty)
    }
}
