import WorkerCore

/// The pushes with a provider, by their position in its source, from 0. Positions rise by one, and outcomes come nearly in
/// their order.
struct SentPushes {
    private var pushes: [OutgoingPush?] = []
    /// The position of the first of `pushes`.
    private var start = 0
    /// How many at the front of `pushes` are nil.
    private var removed = 0

    mutating func append(_ push: OutgoingPush) { pushes.append(push) }

    mutating func remove(_ position: Int) -> OutgoingPush? {
        let index = position - start
        guard pushes.indices.contains(index), let push = pushes[index].take() else { return nil }
        while removed < pushes.count, pushes[removed] == nil { removed += 1 }
        // Each push is moved once on average.
        if removed >= 256, removed * 2 >= pushes.count {
            pushes.removeFirst(removed)
            start += removed
            removed = 0
        }
        return push
    }

    var all: [OutgoingPush] { pushes.compactMap(\.self) }
}
