import Testing

@testable import LoadGenerator

struct LoadRecordTests {
    @Test func `outcomes of the warm-up count as outcomes and not as latencies`() {
        var record = LoadRecord(warmUp: 2)
        let begins = [Duration.seconds(9), .seconds(9), .milliseconds(1)].enumerated().map {
            record.count(.accepted, of: $0.offset, latency: $0.element)
        }
        #expect(begins == [false, true, false])  // the measured part starts after the second one
        #expect(record.total == 3)
        #expect(record.measured == 1)
        #expect(record.latencies.count == 1)
        #expect(record.latencies.maximum < .seconds(1))
    }

    @Test func `a reason that unsent and unknown share is counted for each`() {
        var record = LoadRecord(warmUp: 0)
        for (index, outcome) in [LoadOutcome.unsent("lost"), .unknown("lost"), .unknown("lost")].enumerated() {
            _ = record.count(outcome, of: index, latency: .zero)
        }
        #expect(record.reasons == ["lost": 3])
        #expect(record.unsentReasons == ["lost": 1])
        #expect(record.unknownReasons == ["lost": 2])
    }

    @Test func `each outcome is counted, and its reason except for accepted`() {
        var record = LoadRecord(warmUp: 0)
        let outcomes = [LoadOutcome.accepted, .refused("BadTopic"), .unsent("lost"), .unknown("late"), .accepted]
        for (index, outcome) in outcomes.enumerated() { _ = record.count(outcome, of: index, latency: .zero) }
        #expect(record.accepted == 2 && record.refused == 1 && record.unsent == 1 && record.unknown == 1)
        #expect(record.total == 5 && record.ledger.count == 5)
        #expect(record.refusedReasons == ["BadTopic": 1])
        #expect(record.reasons == ["BadTopic": 1, "lost": 1, "late": 1])
    }

    @Test func `a result that comes twice is counted in the ledger`() {
        var record = LoadRecord(warmUp: 0)
        for _ in 0..<2 { _ = record.count(.accepted, of: 3, latency: .zero) }
        #expect(record.total == 2 && record.ledger.count == 1 && record.ledger.repeated == 1)
    }
}
