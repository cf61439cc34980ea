import APNSModel

/// Several event loops of one provider: a loop whose connections can write no more gives what it has queued to another
/// one with free streams. So nothing waits for one connection, or is unsent, while another one serves.
extension ProviderCore {
    /// How many more submissions than those that are queued the connections could write now.
    func spareStreams(at now: MonotonicTime) -> Int { max(0, freeStreams(at: now) - queue.count) }

    /// How many of the queued submissions another event loop should write, because no connection takes a stream now.
    func surplus(at now: MonotonicTime) -> Int { isClosing || freeStreams(at: now) > 0 ? 0 : queue.count }

    /// Whether another event loop should open a connection here to be helped: this one has none, and does not try to get one.
    var couldConnect: Bool { !isClosing && !isWanted && !hasUsableConnection }

    private func freeStreams(at now: MonotonicTime) -> Int {
        connections.reduce(0) { $0 + ($1?.freeStreams(at: now) ?? 0) }
    }

    /// Takes the first `count` submissions out of the queue, for another event loop.
    ///
    /// Without a connection it still tries to get one: notifications will come here again.
    mutating func giveAway(_ count: Int) -> [Submission] {
        var given: [Submission] = []
        given.reserveCapacity(count)
        while given.count < count, let submission = queue.popFirst() {
            submission.leaveRing()
            given.append(submission)
        }
        if !given.isEmpty, !hasUsableConnection { isWanted = true }
        return given
    }
}
