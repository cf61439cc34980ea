import PushDispatch

/// The decisions of a selective sync: which records go into which request and when, and what each answer means for the
/// pushes that wait. It has no clock, task, store or random source.
///
/// A *ticket* stands for a push, or a call, that waits for records. A request starts only where a ticket is open; it also
/// fetches records of the same object that wait without a ticket. Those are called *companions*.
package struct SyncCore: Sendable {
    package struct TicketID: Hashable, Sendable { let number: Int }
    package struct RequestID: Hashable, Sendable { let number: Int }

    /// How many additional requests are spent to find the one id that the server refuses.
    static let maximumSplits = 24

    package let policy: SyncPolicy
    private(set) var objects: [String: SyncObject]
    var queues: [String: SyncQueue] = [:]
    var tickets: [TicketID: Ticket] = [:]
    var requests: [RequestID: Request] = [:]
    var network = SyncNetwork.unmetered
    /// An app that does not report it is treated as one in the foreground.
    var isInForeground = true
    var backOff = SyncBackOff()
    /// Records waiting or being fetched, over all objects.
    var count = 0
    private var lastNumber = 0

    package init(objects: [SyncObject], policy: SyncPolicy) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.policy = policy
    }

    /// A request in flight. The arrays have one element for each record.
    struct Request: Sendable {
        let object: String
        var records: [RecordID]
        /// The record's mark in the pending store when the request started.
        var marks: [PendingMark?]
        /// Who waits for the record; IDs of tickets that have ended may be among them.
        var tickets: [[TicketID]]
    }

    /// Records waiting or being fetched, over all objects.
    package var pendingCount: Int { count }

    /// Changes the settings of an object. Requests in flight keep theirs.
    package mutating func replace(_ object: SyncObject) { objects[object.name] = object }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    package mutating func networkChanged(to network: SyncNetwork) {
        if network != .offline, self.network == .offline { backOff.reset() }
        self.network = network
    }

    package mutating func foregroundChanged(to isInForeground: Bool) { self.isInForeground = isInForeground }

    /// Whether records of the object may be fetched now.
    func allowsFetches(of object: String) -> Bool {
        objects[object]?.isFetched(network: network, isInForeground: isInForeground) == true
    }

    /// Drops everything that waits, because the user changes. Answers still to come are ignored.
    package mutating func reset() -> (updates: [TicketUpdate], requests: [RequestID]) {
        let open = requests.keys.sorted { $0.number < $1.number }
        requests = [:]
        queues = [:]
        count = 0
        backOff.reset()
        for id in tickets.keys { tickets[id]?.dropRecords() }
        return (end(tickets), open)
    }
}
