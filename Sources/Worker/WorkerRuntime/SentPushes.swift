import WorkerCore

/// The pushes with a provider, by their position in its source, from 0. Positions rise by one, and outcomes come nearly in
/// their order.
struct SentPushes {
    /// Pushes that were given together. They leave when the last one has its outcome, so that nothing is moved or copied.
    private struct Batch {
        var pushes: [OutgoingPush]
        /// The position of the first one.
        let start: Int
        /// Whether each still has no outcome.
        var isOpen: [Bool]
        var openCount: Int
    }

    /// In the order of their positions.
    private var batches: [Batch] = []
    /// How many batches at the front have ended.
    private var endedCount = 0
    private var count = 0

    mutating func append(_ pushes: [OutgoingPush]) {
        guard !pushes.isEmpty else { return }
        batches.append(
            Batch(
                pushes: pushes, start: count, isOpen: [Bool](repeating: true, count: pushes.count),
                openCount: pushes.count))
        count += pushes.count
    }

    /// The push has its outcome.
    ///
    /// - Returns: Nil where nothing is known about such a push.
    mutating func remove(_ position: Int) -> PushReference? {
        guard let batch = batch(of: position) else { return nil }
        let index = position - batches[batch].start
        guard batches[batch].openCount > 0, batches[batch].isOpen[index] else { return nil }
        let reference = batches[batch].pushes[index].reference
        batches[batch].isOpen[index] = false
        batches[batch].openCount -= 1
        if batches[batch].openCount == 0 {
            // One without an answer may keep the batches behind its own here for long.
            batches[batch].pushes = []
            batches[batch].isOpen = []
        }
        while endedCount < batches.count, batches[endedCount].openCount == 0 { endedCount += 1 }
        // Each batch is moved once on average.
        if endedCount >= 16, endedCount * 2 >= batches.count {
            batches.removeFirst(endedCount)
            endedCount = 0
        }
        return reference
    }

    private func batch(of position: Int) -> Int? {
        guard position < count, endedCount < batches.count, position >= batches[endedCount].start else { return nil }
        // The last one that starts there or before. Mostly it is the first one.
        var (low, high) = (endedCount, batches.count)
        if low + 1 < high, batches[low + 1].start > position { return low }
        while low + 1 < high {
            let middle = (low + high) / 2
            if batches[middle].start <= position { low = middle } else { high = middle }
        }
        return low
    }

    var all: [OutgoingPush] {
        batches.flatMap { batch in zip(batch.pushes, batch.isOpen).filter { $1 }.map { $0.0 } }
    }
}
