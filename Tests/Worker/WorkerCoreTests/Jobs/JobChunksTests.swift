import Testing

@testable import WorkerCore

@Suite struct JobChunksTests {
    @Test func `a job has at most as many lines as the chunk`() {
        #expect(JobChunks.ranges(of: [], chunk: 3).isEmpty)
        #expect(JobChunks.ranges(of: [1, 1, 1], chunk: 3) == [0..<3])
        #expect(JobChunks.ranges(of: [1, 1, 1, 1, 1, 1, 1], chunk: 3) == [0..<3, 3..<6, 6..<7])
    }

    @Test func `a job ends before it has more bytes than a worker reads`() {
        let half = JobReader.maximumBytes / 2
        // A line feed is between two lines.
        #expect(JobChunks.ranges(of: [half, half - 1], chunk: 100) == [0..<2])
        #expect(JobChunks.ranges(of: [half, half], chunk: 100) == [0..<1, 1..<2])
        #expect(JobChunks.ranges(of: [1, 2 * half, 1, 1], chunk: 100) == [0..<1, 1..<2, 2..<4])
        #expect(JobChunks.ranges(of: [3 * half, 1], chunk: 100) == [0..<1, 1..<2])
    }
}
