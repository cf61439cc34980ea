import APNSModel
import TestSeeds
import Testing

@testable import APNSProvider

struct DeadlineWheelTests {
    private static func node(_ deadline: Duration) -> DeadlineNode { DeadlineNode(deadline: .zero + deadline) }

    @Test(arguments: TestSeed.all(1...20))
    func `nodes are due once their deadline has passed, unless they have left`(seed: TestSeed) {
        var generator = seed.generator
        var wheel = DeadlineWheel()
        var left: [DeadlineNode] = []
        var now = Duration.seconds(Int64.random(in: 0...1_000_000, using: &generator))
        for _ in 0..<300 {
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let longest = [50, 40_000, 200_000].randomElement(using: &generator)!
                let node = Self.node(now + .milliseconds(Int.random(in: -20...longest, using: &generator)))
                wheel.add(node)
                left.append(node)
            }
            if Int.random(in: 0..<3, using: &generator) == 0, !left.isEmpty {
                left.remove(at: Int.random(in: 0..<left.count, using: &generator)).leaveRing()
            }
            let step = [30, 1000, 90_000].randomElement(using: &generator)!
            now += .milliseconds(Int.random(in: 0...step, using: &generator))
            let due = wheel.takeDue(at: .zero + now)
            let expected = left.filter { $0.deadline <= .zero + now }
            left.removeAll { $0.deadline <= .zero + now }
            #expect(Set(due.map(ObjectIdentifier.init)) == Set(expected.map(ObjectIdentifier.init)))
        }
    }

    @Test func `a node that is freed has left its ring`() {
        var wheel = DeadlineWheel()
        let first = Self.node(.seconds(1))
        wheel.add(first)
        do {
            let second = Self.node(.seconds(1))
            wheel.add(second)
        }
        let third = Self.node(.seconds(1))
        wheel.add(third)
        let due = wheel.takeDue(at: .zero + .seconds(1))
        #expect(due.map(ObjectIdentifier.init) == [first, third].map(ObjectIdentifier.init))
    }

    @Test func `a node outlives its wheel`() {
        let nodes = [Self.node(.seconds(1)), Self.node(.seconds(1))]
        do {
            var wheel = DeadlineWheel()
            for node in nodes { wheel.add(node) }
        }
        nodes[0].leaveRing()
        var other = DeadlineWheel()
        other.add(nodes[0])
        #expect(other.takeDue(at: .zero + .seconds(1)).count == 1)
    }

    @Test func `a deadline without an end is never due`() {
        var wheel = DeadlineWheel()
        let node = DeadlineNode(deadline: MonotonicTime(nanoseconds: .max))
        wheel.add(node)
        #expect(wheel.takeDue(at: .zero + .seconds(1_000_000_000)).isEmpty)
    }
}
