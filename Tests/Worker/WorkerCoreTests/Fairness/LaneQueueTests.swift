import APNSModel
import APNSProvider
import Testing

@testable import WorkerCore

@Suite struct LaneQueueTests {
    private func push(_ number: Int) -> WaitingPush {
        WaitingPush(
            reference: PushReference(slot: Int32(number), generation: 0, line: 0),
            submission: Submission(
                APNSNotification(
                    to: DeviceToken("ab")!, topic: Bench.topic, pushType: .alert, payload: [])), expires: .max)
    }

    private func numbers(_ pushes: [WaitingPush]) -> [Int32] { pushes.map(\.reference.slot) }

    @Test func `tenants take turns, however much one has`() {
        var lane = LaneQueue()
        for number in 0..<1000 { lane.append(push(number), of: 0) }
        for number in 2000..<2100 { lane.append(push(number), of: 1) }
        var turns: [Int] = []
        while let (tenant, pushes) = lane.next({ _, _ in LaneQueue.Allowance(pushes: 1000) }), turns.count < 6 {
            #expect(pushes.count <= LaneQueue.quantum)
            turns.append(tenant)
        }
        #expect(turns.prefix(5) == [0, 1, 0, 1, 0])
    }

    @Test func `a tenant's pushes keep their order, and what came back is first`() {
        var lane = LaneQueue()
        for number in 0..<3 { lane.append(push(number), of: 7) }
        let first = lane.next { _, _ in LaneQueue.Allowance(pushes: 1) }?.pushes ?? []
        #expect(numbers(first) == [0])
        lane.prepend(first[0], of: 7)
        #expect(numbers(lane.next { _, _ in LaneQueue.Allowance(pushes: 100) }?.pushes ?? []) == [0, 1, 2])
        #expect(lane.next { _, _ in LaneQueue.Allowance(pushes: 100) } == nil)
        #expect(lane.count == 0)
    }

    @Test func `what failed goes first, and last where one push is tried`() {
        var lane = LaneQueue()
        for number in 0..<2 { lane.append(push(number), of: 7) }
        lane.appendFailed(push(5), of: 7)
        #expect(lane.count == 3 && lane.count(of: 7) == 3)
        let first = lane.next { _, _ in LaneQueue.Allowance(pushes: 1, isProbe: true) }?.pushes ?? []
        #expect(numbers(first) == [0])
        let rest = lane.next { _, _ in LaneQueue.Allowance(pushes: 100) }?.pushes ?? []
        #expect(numbers(rest) == [5, 1])
        lane.appendFailed(push(6), of: 7)
        #expect(!lane.hasFresh(of: 7))
        let last = lane.next { _, isFresh in LaneQueue.Allowance(pushes: isFresh ? 0 : 1, isProbe: true) }?.pushes ?? []
        #expect(numbers(last) == [6])
        #expect(lane.count == 0)
    }

    @Test func `a tenant that may send nothing does not stop the others`() {
        var lane = LaneQueue()
        lane.append(push(0), of: 0)
        lane.append(push(1), of: 1)
        #expect(lane.next { tenant, _ in LaneQueue.Allowance(pushes: tenant == 0 ? 0 : 10) }?.tenant == 1)
        #expect(lane.next { tenant, _ in LaneQueue.Allowance(pushes: tenant == 0 ? 0 : 10) } == nil)
        #expect(!lane.hasWork { tenant, _ in LaneQueue.Allowance(pushes: tenant == 0 ? 0 : 10) })
        #expect(lane.hasWork { _, _ in LaneQueue.Allowance(pushes: 1) })
    }

    @Test func `a queue of many elements works at both ends`() {
        var fifo = Fifo<Int>()
        for number in 0..<5000 { fifo.append(number) }
        for number in 0..<4000 { #expect(fifo.popFirst() == number) }
        for number in stride(from: 3999, to: 3900, by: -1) { fifo.prepend(number) }
        #expect(fifo.count == 1099)
        #expect(fifo.removeAll() == Array(3901..<5000))
        #expect(fifo.isEmpty && fifo.popFirst() == nil)
    }
}
