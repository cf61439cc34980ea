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
    /// The latest events, oldest first; those before `head` are forgotten.
    private var events: [(event: GatewayEvent, memory: QueuedItem?)?] = []
    private var head = 0
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

    /// - Parameter memory: Counts the event's memory.
    /// - Returns: The id of the event.
    mutating func add(_ event: GatewayEvent, _ memory: QueuedItem? = nil) -> EventID {
        guard isKept else { return last }
        events.append((event, memory))
        lastNumber += 1
        keepNewest(SubscriberLimits.eventHistory)
        return last
    }

    /// Forgets all but the newest `count` events.
    mutating func keepNewest(_ count: Int) {
        while events.count - head > count {
            events[head] = nil
            head += 1
        }
        guard head >= SubscriberLimits.eventHistory else { return }
        events.removeFirst(head)
        head = 0
    }

    mutating func heartbeat(hasClients: Bool) {
        heartbeatsAlone = hasClients ? 0 : heartbeatsAlone + 1
        if heartbeatsAlone >= EventHistory.patience { self = EventHistory() }
    }

    /// - Returns: The events after `id`, oldest first; nil if some of them are not kept any more, or the id is of another
    ///   history.
    func events(after id: EventID) -> [(event: GatewayEvent, id: EventID)]? {
        let count = UInt64(events.count - head)
        guard isKept, id.start == start, id.number <= lastNumber, lastNumber - id.number <= count else { return nil }
        let missed = events.suffix(Int(lastNumber - id.number))
        return zip(missed, (id.number + 1)...).compactMap { entry, number in
            entry.map { ($0.event, EventID(start: start, number: number)) }
        }
    }
}
