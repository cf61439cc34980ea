import Testing

@testable import WorkerCore

struct LineStatesTests {
    @Test(arguments: [1, 31, 32, 33, JobReader.maximumLines, 128])
    func `each line has its own state`(count: Int) {
        var states = LineStates(count: count)
        #expect(states.indices.allSatisfy { states[$0] == .waiting } && states.count == count)
        var wanted = [LineStates.State](repeating: .waiting, count: count)
        for (turn, state) in [LineStates.State.done, .inFlight, .waiting, .done].enumerated() {
            for line in stride(from: turn, to: count, by: 3) {
                states[line] = state
                wanted[line] = state
                #expect(states.indices.map { states[$0] } == wanted)
            }
        }
    }
}
