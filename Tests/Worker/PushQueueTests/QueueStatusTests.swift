import Testing

@testable import PushQueue

@Suite struct QueueStatusTests {
    @Test func `the sums are those of the lanes, and the oldest job is the oldest of all lanes`() {
        let status = QueueStatus(
            lanes: [
                .init(.high, backlog: 1, pending: 2, oldest: .seconds(3)),
                .init(.bulk, backlog: 10, pending: 20, oldest: .seconds(2)),
                .init(.normal, backlog: 0, pending: 0, oldest: nil),
            ], time: 0, engine: "memory")
        #expect(status.backlog == 11)
        #expect(status.pending == 22)
        #expect(status.oldest == .seconds(3))
        #expect(QueueStatus(time: 0, engine: "memory").oldest == nil)
    }

    @Test func `an error shows its code and what to do`() {
        let error = QueueError(.full, "Redis has no memory left; raise maxmemory", isTemporary: true)
        #expect("\(error)" == "full: Redis has no memory left; raise maxmemory")
    }
}
