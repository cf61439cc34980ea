import Synchronization

/// The webhooks of removed worlds that still post what is queued. They do not hold their worlds.
final class Departures: Sendable {
    private struct Departure {
        let webhooks: Webhooks
        let posting: Task<Void, Never>
    }

    private let departures = Mutex<[ObjectIdentifier: Departure]>([:])

    /// Posts what is queued for webhooks whose world gets no further events.
    ///
    /// - Parameters:
    ///   - limit: What is not posted by then is counted.
    ///   - lost: Called with the number of events that could not be posted, unless it is 0.
    func add(_ webhooks: Webhooks, within limit: Duration, _ lost: @escaping @Sendable (Int) -> Void) {
        let id = ObjectIdentifier(webhooks)
        // The task ends after it was added, because it takes the lock at its end.
        departures.withLock { departures in
            let posting = Task {
                let timer = Task {
                    try await Task.sleep(for: limit)
                    webhooks.giveUp()
                }
                let count = await webhooks.drain(of: nil)
                timer.cancel()
                if count > 0 { lost(count) }
                self.departures.withLock { $0[id] = nil }
            }
            departures[id] = Departure(webhooks: webhooks, posting: posting)
        }
    }

    /// Posts nothing more and counts what is queued.
    func giveUp() {
        for departure in departures.withLock({ Array($0.values) }) { departure.webhooks.giveUp() }
    }

    /// Returns when all that were added by now are done.
    func finish() async {
        for departure in departures.withLock({ Array($0.values) }) { await departure.posting.value }
    }
}
