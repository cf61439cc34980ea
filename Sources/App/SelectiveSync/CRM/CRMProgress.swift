/// How far an upload and the regular syncs of all objects after it are. Each counts the same. No I/O.
struct CRMProgress: Hashable, Sendable {
    private let steps: Int
    private var done = 0
    private var received = 0
    private var total: Int?

    /// - Parameter objects: The number of objects to sync.
    init(objects: Int) { steps = objects + 1 }

    /// The upload or the sync of one object has ended.
    mutating func stepEnded() {
        done = min(done + 1, steps)
        (received, total) = (0, nil)
    }

    /// A page of the current object is stored.
    mutating func received(_ records: Int, of total: Int?) { (received, self.total) = (records, total) }

    /// 0 to 100. It is 100 only at the end.
    var percent: Int {
        var current = 0.0
        if let total, total > 0 { current = min(1, Double(received) / Double(total)) }
        let percent = Int((Double(done) + current) * 100 / Double(steps))
        return done < steps ? min(99, percent) : 100
    }
}
