internal import PushQueue
internal import RedisClient

/// What the status script says of a stream.
struct StreamFacts {
    /// Jobs that are not settled.
    let count: Int
    let pending: Int
    /// How many of the pending ones were given back, so that they are ready.
    let free: Int
    /// When the oldest job came, in milliseconds since 1970.
    let oldest: Int64?
    let consumers: [QueueStatus.Consumer]
    /// Whether a worker has prepared the stream.
    let hasGroup: Bool
    /// How many entries somebody removed that were not settled; nil where the server does not know it, as before Redis 7.0 and of
    /// a group that was made after entries were removed. Then what was settled before cannot be told from what was lost.
    ///
    /// What was added and not read has to be there, beside what is pending. What was settled was read before, so that it does
    /// not count. A pending entry that was removed counts until its lease is over.
    let removed: Int?

    init?(_ value: RedisValue) {
        guard let parts = value.array, parts.count == 8, let count = parts[0].integer, let pending = parts[1].integer,
            let consumers = parts[3].array, let free = parts[7].integer
        else { return nil }
        self.count = Int(count)
        self.pending = Int(pending)
        self.free = Int(free)
        oldest = StreamFacts.position(parts[2])?.time
        self.consumers = consumers.compactMap { consumer in
            guard let facts = consumer.array, facts.count == 3, let name = facts[0].string.flatMap({ ConsumerName($0) })
            else { return nil }
            return QueueStatus.Consumer(
                name, pending: Int(facts[1].integer ?? 0), idle: .milliseconds(facts[2].integer ?? 0))
        }
        hasGroup = StreamFacts.position(parts[4]) != nil
        if let added = parts[5].integer, let read = parts[6].integer, added >= read, read >= 0 {
            removed = max(Int(added) - Int(read) - (self.count - self.pending), 0)
        } else {
            removed = nil
        }
    }

    /// Whether no worker reads the stream.
    ///
    /// A worker that has prepared a stream may not have read it yet, where it wanted fewer jobs than there are streams. It
    /// leaves a trace in each within a minute.
    ///
    /// - Parameter time: The server's clock, in milliseconds since 1970.
    func isUnread(at time: Int64) -> Bool {
        guard hasGroup else { return true }
        if let idle = consumers.map(\.idle).min() { return idle > QueueStatus.longestUnread }
        guard let oldest else { return false }
        return Duration.milliseconds(time - oldest) > QueueStatus.longestUnread
    }

    private static func position(_ value: RedisValue) -> (time: Int64, number: Int64)? {
        let parts = (value.string ?? "").split(separator: "-").compactMap { Int64($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}
