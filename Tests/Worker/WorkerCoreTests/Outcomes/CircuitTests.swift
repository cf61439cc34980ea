import APNSModel
import Testing

@testable import WorkerCore

@Suite struct CircuitTests {
    private let start = MonotonicTime(nanoseconds: 1)

    @Test func `after a fault nothing is let through, then one push`() {
        var circuit = Circuit(.tenant)
        #expect(circuit.allowance(at: start) == .all)
        let until = circuit.failed(at: start, isProbe: false, random: 0)
        #expect(until == start + .seconds(30))
        #expect(circuit.allowance(at: start + .seconds(29)) == .none(until: start + .seconds(30)))
        #expect(circuit.allowance(at: start + .seconds(30)) == .one)
        let isProbe = circuit.probing()
        #expect(isProbe)
        #expect(circuit.allowance(at: start + .seconds(31)) == .none(until: nil))
        #expect(circuit.succeeded(isProbe: true) == true)
        #expect(circuit.allowance(at: start + .seconds(31)) == .all)
    }

    @Test func `a tenant waits 30 s, 2 min, 8 min and then 15 min`() {
        var circuit = Circuit(.tenant)
        var now = start
        var waits: [Duration] = []
        for _ in 0..<5 {
            let until = circuit.failed(at: now, isProbe: true, random: 0)
            waits.append((until ?? now) - now)
            now = until ?? now
            _ = circuit.probing()
        }
        #expect(waits == [.seconds(30), .seconds(120), .seconds(480), .seconds(900), .seconds(900)])
    }

    @Test func `pushes that were under way when it opened neither lengthen the wait nor end it`() {
        var circuit = Circuit(.host)
        _ = circuit.failed(at: start, isProbe: false, random: 0)
        let state = circuit.state
        #expect(circuit.failed(at: start, isProbe: false, random: 0) == nil)
        #expect(circuit.succeeded(isProbe: false) == false)
        #expect(circuit.state == state)
        _ = circuit.probing()
        #expect(circuit.failed(at: start + .seconds(9), isProbe: false, random: 0) == nil)
        #expect(circuit.state == .probing(step: 1))
    }

    @Test func `a probe that told nothing is repeated`() {
        var circuit = Circuit(.host)
        let until = circuit.failed(at: start, isProbe: false, random: 0) ?? start
        _ = circuit.probing()
        circuit.probeWasInconclusive(at: until)
        #expect(circuit.allowance(at: until + .seconds(1)) == .one)
    }

    @Test func `after a probe that had failed before, a push that has not failed is tried after the first wait`() {
        var circuit = Circuit(.tenant)
        let until = circuit.failed(at: start, isProbe: false, random: 0) ?? start
        #expect(circuit.allowance(at: start + .seconds(29), isFresh: true) == .none(until: until))
        _ = circuit.probing()
        _ = circuit.failed(at: until, isProbe: true, isRepeat: true, random: 0)
        #expect(circuit.nextProbe(isFresh: false) == until + .seconds(120))
        #expect(circuit.nextProbe(isFresh: true) == until + .seconds(30))
        #expect(circuit.allowance(at: until + .seconds(29), isFresh: true) == .none(until: until + .seconds(120)))
        #expect(circuit.allowance(at: until + .seconds(30), isFresh: true) == .one)
        #expect(circuit.allowance(at: until + .seconds(30)) == .none(until: until + .seconds(120)))
    }

    @Test func `new credentials are tried at once`() {
        var circuit = Circuit(.tenant)
        _ = circuit.failed(at: start, isProbe: false, random: 0)
        circuit.retryNow(at: start + .seconds(1))
        #expect(circuit.allowance(at: start + .seconds(1)) == .one)
        _ = circuit.probing()
        circuit.retryNow(at: start + .seconds(2))
        #expect(circuit.allowance(at: start + .seconds(2)) == .one, "also while the old ones are tried")
    }
}
