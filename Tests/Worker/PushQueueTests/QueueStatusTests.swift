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

    @Test func `a lane with jobs that no worker reads has a sentence, which names the lanes that workers read`() {
        var status = QueueStatus(
            lanes: [
                .init(.bulk, backlog: 0, pending: 1, oldest: .seconds(3)),
                .init(.high, backlog: 2, pending: 0, oldest: .seconds(3), lastRead: .seconds(299)),
                .init(.normal, backlog: 3, pending: 0, oldest: .seconds(3), lastRead: .seconds(301)),
            ], time: 0, engine: "memory")
        let sentence = "3 jobs wait in the lane normal, which no worker has read in the last five minutes"
        #expect(status.unreadLanes == [sentence + "; workers read high"])
        status.lanes.removeAll { $0.name == .high }
        #expect(status.unreadLanes == [sentence])
        // Workers that stop in good order are forgotten at once.
        status.lanes[1].lastRead = nil
        #expect(status.unreadLanes == ["3 jobs wait in the lane normal, which no worker reads"])
    }

    @Test func `a stream that no worker reads has a sentence where its lane is read, and else the lane has one`() {
        var lane = QueueStatus.Lane(.normal, backlog: 5, pending: 1, oldest: .seconds(3), lastRead: .seconds(2))
        lane.unreadStreams = [QueueStatus.Stream("push:jobs:normal:7", backlog: 4)]
        lane.elsewhere = 4
        #expect(lane.unsettled == 2)
        var status = QueueStatus(lanes: [lane], time: 0, engine: "memory")
        let sentence = "jobs wait in push:jobs:normal:7, which no worker reads"
        #expect(status.unreadLanes.map { $0.hasPrefix(sentence) } == [true])
        #expect(status.unreadStreams == status.unreadLanes)
        status.lanes[0].lastRead = nil
        #expect(status.unreadLanes == ["5 jobs wait in the lane normal, which no worker reads"])
        #expect(status.unreadStreams.isEmpty)
    }

    @Test func `an error shows its code and what to do`() {
        let error = QueueError(.full, "Redis has no memory left; raise maxmemory", isTemporary: true)
        #expect("\(error)" == "full: Redis has no memory left; raise maxmemory")
    }
}
