import APNSModel

/// Deadlines in the order of time: adding one, removing one and finding one that is due take constant time, however many
/// there are.
///
/// A wheel of 1024 buckets, each for 34 ms. It turns once in 34 s, and a node with a later deadline is passed over in each
/// turn. A heap takes logarithmic time, and a node can leave a heap only through its owner.
struct DeadlineWheel {
    private static let bucketCount = 1024
    /// The width of a bucket is 2 to the power of this in nanoseconds.
    private static let bucketBits = 25

    private var buckets: [DeadlineRing?] = []
    /// The number of the last bucket that was emptied, counted from time zero.
    private var turned: Int64 = 0
    /// Nodes that were looked at so far.
    private(set) var visited = 0

    /// Adds a node, which is in no ring. `leaveRing` removes it.
    mutating func add(_ node: DeadlineNode) {
        if buckets.isEmpty { buckets = Array(repeating: nil, count: DeadlineWheel.bucketCount) }
        let index = DeadlineWheel.index(max(DeadlineWheel.number(node.deadline), turned))
        if let bucket = buckets[index] { return bucket.append(node) }
        let bucket = DeadlineRing()
        bucket.append(node)
        buckets[index] = bucket
    }

    /// Removes and returns the nodes whose deadline has passed.
    mutating func takeDue(at now: MonotonicTime) -> [DeadlineNode] {
        let number = DeadlineWheel.number(now)
        guard number >= turned, !buckets.isEmpty else { return [] }
        var due: [DeadlineNode] = []
        for number in max(turned, number - Int64(buckets.count) + 1)...number {
            guard let bucket = buckets[DeadlineWheel.index(number)] else { continue }
            var next = bucket.first
            while let node = next {
                visited += 1
                next = bucket.node(after: node)
                guard node.deadline <= now else { continue }
                node.leaveRing()
                due.append(node)
            }
        }
        turned = number
        return due
    }

    private static func number(_ time: MonotonicTime) -> Int64 { time.nanoseconds >> Int64(bucketBits) }

    private static func index(_ number: Int64) -> Int { Int(number) & (bucketCount - 1) }
}
