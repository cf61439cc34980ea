import TestSeeds
import Testing

@testable import LoadGenerator

struct ResultLedgerTests {
    @Test(arguments: TestSeed.all(1...3))
    func `indexes in any order count once each`(seed: TestSeed) {
        var generator = seed.generator
        var ledger = ResultLedger()
        for index in (0..<5000).shuffled(using: &generator) { ledger.add(index) }
        #expect(ledger.count == 5000)
        #expect(ledger.repeated == 0)
    }

    @Test(arguments: [0, 63, 64, 4999, 8000])
    func `a second result is counted as repeated, however long ago the first was`(index: Int) {
        var ledger = ResultLedger()
        for index in 0..<5000 { ledger.add(index) }
        ledger.add(8000)
        ledger.add(index)
        #expect(ledger.count == 5001)
        #expect(ledger.repeated == 1)
    }

    @Test func `indexes with their results take no memory`() {
        var ledger = ResultLedger()
        var most = 0
        for start in stride(from: 0, to: 1_000_000, by: 1000) {
            for index in (start..<start + 1000).reversed() { ledger.add(index) }
            most = max(most, ledger.wordCount)
        }
        #expect(ledger.count == 1_000_000)
        #expect(most < 4096)
    }
}
