import Synchronization

/// What an event loop of a provider tells the others, so that no notification waits for one connection while another has
/// a free stream. Read by other threads, where a value slightly out of date does no harm.
final class LoopLoad: Sendable {
    /// The free streams of its connections, beyond what is queued for them.
    private let spareStreams = Atomic(0)
    /// How many notifications wait that its connections cannot write now.
    private let surplus = Atomic(0)
    /// Whether it has no connection and does not try to get one.
    private let couldConnect = Atomic(true)

    func setSpareStreams(_ count: Int) { spareStreams.store(count, ordering: .sequentiallyConsistent) }

    func setSurplus(_ count: Int) { surplus.store(count, ordering: .sequentiallyConsistent) }

    /// Reserves spare streams for notifications of another event loop.
    ///
    /// - Returns: How many, at most `count`.
    func takeSpareStreams(atMost count: Int) -> Int {
        var free = spareStreams.load(ordering: .sequentiallyConsistent)
        while free > 0 {
            let taken = min(free, count)
            let (exchanged, current) = spareStreams.compareExchange(
                expected: free, desired: free - taken, ordering: .sequentiallyConsistent)
            if exchanged { return taken }
            free = current
        }
        return 0
    }

    func setCouldConnect(_ flag: Bool) { couldConnect.store(flag, ordering: .relaxed) }

    /// Whether a connection should be asked for there. Only one caller gets true for each `setCouldConnect`.
    func takeCouldConnect() -> Bool {
        couldConnect.load(ordering: .relaxed) && couldConnect.exchange(false, ordering: .relaxed)
    }

    /// Whether notifications wait there that its connections cannot write. Only one caller gets true for each `setSurplus`.
    func takeSurplus() -> Bool {
        surplus.load(ordering: .sequentiallyConsistent) > 0
            && surplus.exchange(0, ordering: .sequentiallyConsistent) > 0
    }
}
