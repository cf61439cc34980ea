import GatewayCore
import Testing

@testable import GatewayRuntime

struct WorldEvictionTests {
    private func worlds(_ idle: [Int64]) throws -> [WorldEviction.Candidate] {
        try idle.enumerated().map {
            WorldEviction.Candidate(name: try #require(WorldName("w\($0)")), idle: $1 * 60_000)
        }
    }

    private func removed(_ policy: WorldEviction, _ minutes: [Int64], isMemoryFull: Bool = false) throws -> [String] {
        policy.removals(of: try worlds(minutes), isMemoryFull: isMemoryFull).map { "\($0.name) \($0.reason)" }
    }

    @Test func `worlds that are idle for too long are removed, the longest first`() throws {
        let policy = WorldEviction(maximumIdleTime: 3_600_000)
        #expect(try removed(policy, [59, 60, 200, 0]) == ["w2 age", "w1 age"])
        #expect(try removed(WorldEviction(), [59, 60, 200]).isEmpty)
    }

    @Test func `of too many idle worlds those that are idle for longest are removed`() throws {
        let policy = WorldEviction(maximumIdleWorlds: 2)
        // A world that was used within a minute is not idle.
        #expect(try removed(policy, [5, 9, 0, 7, 1]) == ["w1 count", "w3 count"])
        #expect(try removed(policy, [5, 0, 0, 7]).isEmpty)
        #expect(try removed(WorldEviction(maximumIdleWorlds: 0), [5]) == ["w0 count"])
    }

    @Test func `age and count are both kept`() throws {
        let policy = WorldEviction(maximumIdleTime: 3_600_000, maximumIdleWorlds: 1)
        #expect(try removed(policy, [70, 5, 9]) == ["w0 age", "w2 count"])
    }

    @Test func `without memory the world that is idle for longest goes, and none that is used`() throws {
        #expect(try removed(WorldEviction(), [5, 9, 0], isMemoryFull: true) == ["w1 memory"])
        #expect(try removed(WorldEviction(), [0, 0], isMemoryFull: true).isEmpty)
    }
}
