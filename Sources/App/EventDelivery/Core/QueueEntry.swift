/// What the queue knows of an event without its body.
struct QueueEntry: Hashable, Sendable {
    /// The order of capture. Never used twice.
    let sequence: Int64
    let id: EventID
    let kind: String
    let group: String?
    let bytes: Int
    /// Grows by one at and after each event that holds the order.
    let segment: Int64
    /// The index of its row.
    let row: Int
}

/// Entries in the order of their sequence. Taking the first and adding a last one take constant time.
struct EntryQueue: Sendable {
    private var storage: [QueueEntry] = []
    private var head = 0

    var first: QueueEntry? { head < storage.count ? storage[head] : nil }
    var last: QueueEntry? { head < storage.count ? storage.last : nil }
    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }
    var all: ArraySlice<QueueEntry> { storage[head...] }

    mutating func append(_ entry: QueueEntry) { storage.append(entry) }

    mutating func popFirst() -> QueueEntry? {
        guard head < storage.count else { return nil }
        let entry = storage[head]
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.capacity <= 256)
            head = 0
        } else if head >= 64, head * 2 >= storage.count {
            storage.removeSubrange(..<head)
            head = 0
        }
        return entry
    }

    /// Puts back what was taken from the front.
    mutating func putBack(_ entries: [QueueEntry]) {
        storage.replaceSubrange(..<head, with: entries)
        head = 0
    }

    mutating func removeAll() -> [QueueEntry] {
        defer { self = EntryQueue() }
        return Array(all)
    }
}

/// What has to be true for an event to be sent.
enum EventGate: Hashable, Sendable {
    case open
    case consent(ConsentPurpose)
    /// The record of an answer. It is always sent, and deleted when the person opts out later.
    case record(ConsentPurpose)

    var purpose: ConsentPurpose? {
        switch self {
        case .open: nil
        case .consent(let purpose), .record(let purpose): purpose
        }
    }

    var isRecord: Bool { if case .record = self { true } else { false } }
}

/// The waiting entries of one lane with the same gate and priority.
struct EntryRow: Sendable {
    let gate: EventGate
    let priority: EventPriority
    var entries = EntryQueue()
}
