import Testing

@testable import WorkerCore

@Suite struct SuspectMeterTests {
    @Test func `twenty suspects in a row are a surge`() {
        var meter = SuspectMeter()
        let surges = (0..<20).map { _ in meter.count(isSuspect: true) }
        #expect(surges == [Bool](repeating: false, count: 19) + [true])
    }

    @Test func `a few among many are none, however long it goes on`() {
        var meter = SuspectMeter()
        for _ in 0..<10_000 {
            for _ in 0..<3 { #expect(meter.count(isSuspect: false) == false) }
            #expect(meter.count(isSuspect: true) == false)
        }
    }

    @Test func `a good past does not hide a surge for long`() {
        var meter = SuspectMeter()
        for _ in 0..<100_000 { _ = meter.count(isSuspect: false) }
        let surges = (0..<500).map { _ in meter.count(isSuspect: true) }
        #expect(surges.contains(true))
    }
}
