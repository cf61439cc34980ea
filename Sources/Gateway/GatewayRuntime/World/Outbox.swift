package import GatewayCore
package import GatewayJSON

/// What has been decided and not been stored yet: nothing of it goes out before it is.
package struct Outbox: Sendable {
    /// Something for subscribers.
    package enum Item: Sendable {
        case delivery(Delivery)
        case event(GatewayEvent)
        case record(JournalEntry)
        /// A new entry, for those who wait.
        case shown(JournalEntry)
        /// The life of the entry of this number went on, for those who wait.
        case life(UInt64)
    }

    package struct Publication: Sendable {
        package let item: Item
        /// Listeners that came later have it in what they began with.
        package let lastListener: UInt64
        /// The same for those who wait.
        package let lastWaiter: UInt64
    }

    package var publications: [Publication] = []
    /// Told whether what they wait for is stored.
    package var waiting: [@Sendable (_ isStored: Bool) -> Void] = []
    /// Whether the store was asked to take what has changed.
    package var isScheduled = false
    /// Whether the store is closed, and nothing more goes into it.
    package var isClosed = false
    /// Since the store took nothing, until it does again.
    package var failure: Failure?

    package struct Failure: Sendable {
        /// How many requests were refused because of it.
        package var refused = 0
        /// Whether the world is ahead of the store, which it has to be loaded from first.
        package var isAhead: Bool
    }

    /// Takes what goes with the changes of the world.
    package mutating func take() -> Outbox {
        defer { (publications, waiting, isScheduled) = ([], [], false) }
        return self
    }

    /// - Returns: Whether the store has to be told.
    package mutating func schedule() -> Bool {
        guard !isClosed else { return false }
        defer { isScheduled = true }
        return !isScheduled
    }
}
