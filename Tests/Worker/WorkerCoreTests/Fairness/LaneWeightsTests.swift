import PushQueue
import Testing

@testable import WorkerCore

@Suite struct LaneWeightsTests {
    @Test func `lanes are read with their weights, the heaviest first`() throws {
        let weights = try LaneWeights(parsing: "bulk=1,high=8,normal=3,rest")
        #expect(weights.names.map(\.text) == ["high", "normal", "bulk", "rest"])
        #expect(weights.lanes.map(\.weight) == [8, 3, 1, 1])
        #expect(try LaneWeights(parsing: "high=8,normal=3,bulk=1") == .standard)
    }

    @Test(arguments: ["", "High=1", "a=0", "a=x", "a=1001", "a=1,a=2", "a=1,", "a=1=2"])
    func `other texts are refused with a sentence`(_ text: String) {
        let problem = #expect(throws: LaneWeights.Problem.self) { try LaneWeights(parsing: text) }
        #expect(problem?.description.isEmpty == false)
    }

    @Test func `room is shared by weight, and each lane gets something`() {
        let weights = LaneWeights.standard
        #expect(weights.shares(of: 1200, wanting: [true, true, true]) == [800, 300, 100])
        #expect(weights.shares(of: 1200, wanting: [false, true, true]) == [0, 900, 300])
        #expect(weights.shares(of: 3, wanting: [true, true, true]) == [2, 1, 0])
        #expect(weights.shares(of: 0, wanting: [true, true, true]) == [0, 0, 0])
        #expect(weights.shares(of: 9, wanting: [false, false, false]) == [0, 0, 0])
    }
}
