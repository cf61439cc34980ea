import APNSModel
import Testing

@testable import APNSProvider

/// The outcomes of requests that do not end with a complete answer.
struct ProviderCoreOutcomeTests {
    typealias Bench = ProviderCoreBench

    /// Requests 1, 2, … in the slots 0, 1, …
    private func bench(requests: Int = 1) -> Bench {
        var bench = Bench()
        for number in 1...requests { bench.submit(number, timeout: .seconds(5)) }
        bench.connect()
        bench.fill()
        return bench
    }

    private func head(_ bench: inout Bench, status: Int, body: String = "") {
        bench.core.head(connection: 0, slot: 0, ResponseHead(status: status, apnsID: NotificationID(known: "ID")))
        Array(body.utf8).withUnsafeBytes { bench.core.body(connection: 0, slot: 0, bytes: $0) }
    }

    @Test func `a head that came before the deadline is the answer`() {
        var bench = bench(requests: 2)
        head(&bench, status: 400, body: #"{"reason":"BadDeviceToken"}"#)
        bench.now = bench.now + .seconds(5)
        #expect(bench.expire() == [.reset(connection: 0, slot: 0), .reset(connection: 0, slot: 1)])
        #expect(bench.outcomes == [1: "refused", 2: "unknown"])
        guard case .refused(let refusal) = bench.resolved[0].outcome else {
            Issue.record("request 1 is \(bench.resolved[0].outcome)")
            return
        }
        #expect(refusal.reason == .badDeviceToken)
    }

    @Test func `a head that came before the cancellation is the answer`() {
        var bench = bench()
        head(&bench, status: 200)
        bench.cancel(1)
        #expect(bench.outcomes == [1: "accepted"])
        #expect(bench.actions == [.reset(connection: 0, slot: 0)])
    }

    @Test func `a stream that is refused after a head is not sent again`() {
        var bench = bench()
        head(&bench, status: 200)
        bench.close(0, isRefused: true)
        #expect(bench.outcomes == [1: "accepted"])
        #expect(bench.core.queued == 0)
    }

    @Test func `the reset of a request that was not written does not lower the stream limit`() {
        var bench = bench(requests: 5)
        bench.cancel(5)
        // The session drops a request that it has not written as if the gateway had refused it.
        bench.close(4, isRefused: true)
        for number in 11...500 { bench.submit(number) }
        #expect(bench.fill().count == 490)
    }

    @Test func `a notification whose body was not written is unsent at its deadline`() {
        var bench = bench(requests: 2)
        bench.now = bench.now + .seconds(5)
        #expect(bench.expire { _, slot in slot == 0 }.count == 2)
        #expect(bench.outcomes == [1: "unknown", 2: "unsent"])
        #expect(bench.errors[2]?.code == .deadlineExceeded && bench.errors[2]?.isSafeToRetry == true)
    }

    @Test func `a notification whose body was not written is unsent when it is cancelled`() {
        var bench = bench(requests: 2)
        bench.cancel(1) { _, slot in slot == 0 }
        bench.cancel(2) { _, slot in slot == 0 }
        #expect(bench.outcomes == [1: "unknown", 2: "unsent"])
        #expect(bench.errors[2]?.code == .cancelled && bench.errors[2]?.isSafeToRetry == true)
    }
}
