import GatewayCore

/// What has been decided and not been stored yet: nothing of it goes out before it is.
struct Outbox: Sendable {
    /// Something for listeners.
    enum Item: Sendable {
        case delivery(Delivery)
        case event(GatewayEvent)
        case record(JournalEntry)
        /// A new entry, for those who wait.
        case shown(JournalEntry)
        /// The life of the entry of this number went on, for those who wait.
        case life(UInt64)
    }

    struct Publication: Sendable {
        let item: Item
        /// Listeners that came later have it in what they began with.
        let lastListener: UInt64
        /// The same for those who wait.
        let lastWaiter: UInt64
    }

    var publications: [Publication] = []
    /// Told whether what they wait for is stored.
    var waiting: [@Sendable (_ isKept: Bool) -> Void] = []
    /// Whether the store was asked to take what has changed.
    var isScheduled = false
    /// Whether the store is closed, and nothing more goes into it.
    var isClosed = false
    /// Since the store took nothing, until it does again.
    var failure: Failure?

    struct Failure: Sendable {
        /// How many requests were refused because of it.
        var refused = 0
        /// Whether the world is ahead of the store, which it has to be loaded from first.
        var isAhead: Bool
    }

    /// Takes what goes with the changes of the world.
    mutating func take() -> Outbox {
        defer { (publications, waiting, isScheduled) = ([], [], false) }
        return self
    }

    /// - Returns: Whether the store has to be told.
    mutating func schedule() -> Bool {
        guard !isClosed else { return false }
        defer { isScheduled = true }
        return !isScheduled
    }
}
