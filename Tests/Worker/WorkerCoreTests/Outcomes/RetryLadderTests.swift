import Testing

@testable import WorkerCore

@Suite struct RetryLadderTests {
    @Test func `waits are 30 s, 2 min, 8 min, 15 min and growing`() {
        let ladder = RetryLadder()
        let waits = (1...9).map { ladder.wait(after: $0, random: 0) }
        #expect(waits.prefix(4) == [.seconds(30), .seconds(120), .seconds(480), .seconds(900)])
        #expect(zip(waits.dropFirst(3).prefix(4), waits.dropFirst(4)).allSatisfy { $0 < $1 || $1 == .seconds(7200) })
        #expect(waits.last == .seconds(7200))
        #expect(ladder.wait(after: 0, random: 0) == .seconds(30))
    }

    @Test func `a wait is lengthened by up to a fifth, never shortened`() {
        #expect(RetryLadder().wait(after: 1, random: 1) == .seconds(36))
    }

    @Test func `what the gateway asks for is kept, within a day`() {
        let ladder = RetryLadder()
        #expect(ladder.wait(after: 1, asked: .seconds(300), random: 0) == .seconds(300))
        #expect(ladder.wait(after: 2, asked: .seconds(1), random: 0) == .seconds(120))
        #expect(ladder.wait(after: 1, asked: .seconds(1_000_000_000), random: 0) == .seconds(86_400))
    }
}
