import GatewayConfiguration
import GatewayJSON

/// The latest events of a world, so that a client that was disconnected resumes with `Last-Event-ID`.
///
/// It keeps events from the first client on, and for some heartbeats after the last one, so that a world that nobody
/// listens to does no work for it.
struct EventHistory {
    /// Whether events are kept.
    private(set) var isKept = false
    /// Distinguishes the ids of this history from those of an earlier one.
    private var start: Int64 = 0
    private var lastNumber: UInt64 = 0
    /// A ring: the event of number `n` is at `(n - 1) % capacity`.
    private var ring: [GatewayEvent] = []
    private var heartbeatsAlone = 0

    /// How many heartbeats without a client end it.
    static let patience = 4

    /// The id of the newest event.
    var last: EventID { EventID(start: start, number: lastNumber) }

    /// A client subscribes.
    ///
    /// - Parameter now: Milliseconds since 1970 by the machine's clock.
    mutating func begin(at now: Int64) {
        heartbeatsAlone = 0
        guard !isKept else { return }
        self = EventHistory()
        isKept = true
        start = now
    }

    /// - Returns: The id of the event.
    mutating func add(_ event: GatewayEvent) -> EventID {
        guard isKept else { return last }
        let index = Int(lastNumber % UInt64(SubscriberLimits.eventHistory))
        if index == ring.count { ring.append(event) } else { ring[index] = event }
        lastNumber += 1
        return last
    }

    mutating func heartbeat(hasClients: Bool) {
        heartbeatsAlone = hasClients ? 0 : heartbeatsAlone + 1
        if heartbeatsAlone >= EventHistory.patience { self = EventHistory() }
    }

    /// - Returns: The events after `id`, oldest first; nil if some of them are not kept any more, or the id is of another
    ///   history.
    func events(after id: EventID) -> [(event: GatewayEvent, id: EventID)]? {
        guard isKept, id.start == start, id.number <= lastNumber, lastNumber - id.number <= UInt64(ring.count) else {
            return nil
        }
        return (id.number..<lastNumber).map { number in
            (ring[Int(number % UInt64(ring.count))], EventID(start: start, number: number + 1))
        }
    }
}
