import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// What each lane gets while others have work too.
@Suite struct LaneShareTests {
    /// The lanes, and how the device tokens of their pushes begin.
    private static let lanes: [(lane: LaneName, digits: String)] = [(.high, "aa"), (.normal, "bb"), (.bulk, "cc")]

    private func enqueue(_ jobs: [Int], lines: Int, into bench: inout Bench) throws {
        for (index, lane) in LaneShareTests.lanes.enumerated() {
            let job = (0..<lines).map { Bench.envelope("\(lane.digits)\(10 + $0 % 90)") }
            for _ in 0..<jobs[index] { try bench.enqueue(job, lane: lane.lane) }
        }
    }

    /// How many of these pushes are of each lane.
    private func byLane(_ pushes: [OutgoingPush]) -> [Int] {
        LaneShareTests.lanes.map { lane in pushes.count { $0.token.hasPrefix(lane.digits) } }
    }

    /// Sends so many pushes, a few of which get their outcomes at a time.
    private func send(_ count: Int, _ bench: inout Bench) -> [OutgoingPush] {
        var sent: [OutgoingPush] = []
        var sending: [OutgoingPush] = []
        for _ in 0..<count where sent.count < count {
            bench.reserve()
            let pushes = bench.dispatch()
            sent += pushes
            sending += pushes
            for push in sending.prefix(10) { bench.finish(push, push.accepted) }
            sending.removeFirst(min(10, sending.count))
            bench.settle()
        }
        return sent
    }

    @Test(arguments: [1, 5])
    func `lanes that all have work are sent by weight, also while the window is full`(lines: Int) throws {
        var settings = WorkerSettings()
        settings.window = 600
        settings.inFlight = 100
        var bench = Bench(settings)
        try enqueue([3600, 1800, 1200].map { $0 / lines }, lines: lines, into: &bench)
        let counts = byLane(send(3000, &bench))
        #expect((1800...2200).contains(counts[0]), "\(counts)")
        #expect((600...900).contains(counts[1]), "\(counts)")
        #expect((175...325).contains(counts[2]), "\(counts)")
    }

    @Test func `lanes of equal weight get equal parts`() throws {
        var settings = WorkerSettings()
        settings.lanes = try LaneWeights(parsing: "high=1,normal=1,bulk=1")
        settings.window = 600
        settings.inFlight = 100
        var bench = Bench(settings)
        try enqueue([400, 400, 400], lines: 5, into: &bench)
        let counts = byLane(send(3000, &bench))
        #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
    }

    @Test func `lanes that all have work are sent by weight, also where a limit decides how many`() throws {
        var settings = WorkerSettings()
        settings.rate = 120
        var bench = Bench(settings)
        try enqueue([600, 300, 200], lines: 5, into: &bench)
        var sent: [OutgoingPush] = []
        for _ in 0..<1000 {
            let demands = bench.core.rateDemands(at: bench.now)
            if !demands.isEmpty {
                bench.core.granted(demands, bench.queue.take(demands, at: bench.time), at: bench.now)
            }
            bench.reserve()
            let pushes = bench.dispatch()
            sent += pushes
            bench.finish(pushes) { $0.accepted }
            bench.settle()
            bench.pass(.milliseconds(20))
        }
        #expect((2200...2700).contains(sent.count))
        let counts = byLane(sent)
        #expect(counts[0] > sent.count * 6 / 10 && counts[0] < sent.count * 3 / 4, "\(counts)")
        #expect(counts[1] > sent.count / 5 && counts[1] < sent.count * 3 / 10, "\(counts)")
        #expect(counts[2] > sent.count / 20 && counts[2] < sent.count / 8, "\(counts)")
    }

    @Test func `a tenth of the window is kept for the first lane, and no more while others wait`() throws {
        var settings = WorkerSettings()
        settings.window = 600
        settings.inFlight = 100
        var bench = Bench(settings)
        try enqueue([0, 0, 1200], lines: 1, into: &bench)
        #expect(bench.send().count == 90)
        #expect(bench.core.waiting + bench.core.inFlight >= 560)
        try enqueue([300, 0, 0], lines: 1, into: &bench)
        let urgent = bench.send()
        #expect(byLane(urgent) == [10, 0, 0])
        #expect(bench.core.laneWaiting(0) == 50, "sixty are a tenth of the window, and ten of them are sent")
        #expect(bench.core.demands(at: bench.now).isEmpty)
    }

    @Test func `the tenth of the sender is no more for a first lane that fills it, as long as others wait`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 100
        settings.lanes = try LaneWeights(parsing: "high=1,bulk=1")
        var bench = Bench(settings)
        try enqueue([200, 0, 200], lines: 1, into: &bench)
        let pushes = bench.send()
        #expect(byLane(pushes) == [64, 0, 26])
        var later: [OutgoingPush] = []
        for start in [0, 10] {
            for push in pushes[start..<(start + 10)] { bench.finish(push, push.accepted) }
            later += bench.dispatch()
        }
        #expect(byLane(later) == [10, 0, 10])
        // Alone it has the whole sender.
        var other = Bench(settings)
        try enqueue([200, 0, 0], lines: 1, into: &other)
        #expect(other.send().count == 100)
    }

    @Test func `where one lane may not ask for as many jobs as it wants, the others ask in proportion`() throws {
        var bench = Bench()
        try enqueue([1500, 1500, 1500], lines: 1, into: &bench)
        for _ in 0..<6 {
            bench.reserve()
            let pushes = bench.dispatch()
            bench.finish(pushes) { $0.accepted }
        }
        let demands = bench.core.demands(at: bench.now)
        #expect(demands.map(\.jobs) == [256, 96, 31])
    }
}
