import Testing

@testable import GatewayCore

struct ExpectedCountTests {
    @Test(
        arguments: [
            (.exactly(2), [false, false, true, false], [false, false, false, true]),
            (.atLeast(2), [false, false, true, true], [false, false, false, false]),
            (.atMost(2), [true, true, true, false], [false, false, false, true]),
        ] as [(ExpectedCount, [Bool], [Bool])])
    func `counts from 0 to 3 meet it or break it`(count: ExpectedCount, met: [Bool], broken: [Bool]) {
        #expect((0...3).map { count.isMet(by: $0) } == met)
        #expect((0...3).map { count.isBroken(by: $0) } == broken)
        #expect(count.isMetByNothing == met[0])
    }
}
