import Synchronization

/// The webhooks of removed worlds that still post what is queued. They do not hold their worlds.
final class Departures: Sendable {
    private struct Departure {
        /// Counts up, so that the oldest has the least.
        let number: Int
        let webhooks: Webhooks
        let posting: Task<Void, Never>
    }

    private struct State {
        var all: [ObjectIdentifier: Departure] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let maximum: Int

    /// - Parameter maximum: How many worlds may post at the same time. Beyond it the oldest posts nothing more.
    init(maximum: Int = 100) { self.maximum = maximum }

    /// Posts what is queued for webhooks whose world gets no further events.
    ///
    /// - Parameters:
    ///   - limit: What is not posted by then is counted.
    ///   - lost: Called with the number of events that could not be posted, unless it is 0.
    func add(_ webhooks: Webhooks, within limit: Duration, _ lost: @escaping @Sendable (Int) -> Void) {
        let id = ObjectIdentifier(webhooks)
        // The task ends after it was added, because it takes the lock at its end.
        let oldest = state.withLock { state in
            let oldest = state.all.count < maximum ? nil : state.all.values.min { $0.number < $1.number }
            state.lastNumber += 1
            let posting = Task {
                let timer = Task {
                    try await Task.sleep(for: limit)
                    webhooks.giveUp()
                }
                let count = await webhooks.drain(of: nil)
                timer.cancel()
                if count > 0 { lost(count) }
                self.state.withLock { $0.all[id] = nil }
            }
            state.all[id] = Departure(number: state.lastNumber, webhooks: webhooks, posting: posting)
            return oldest
        }
        oldest?.webhooks.giveUp()
    }

    /// Posts nothing more and counts what is queued.
    func giveUp() {
        for departure in state.withLock({ Array($0.all.values) }) { departure.webhooks.giveUp() }
    }

    /// Returns when all that were added by now are done.
    func finish() async {
        for departure in state.withLock({ Array($0.all.values) }) { await departure.posting.value }
    }
}
