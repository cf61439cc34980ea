import GatewayCore
import GatewayJSON

/// What is decided and not stored yet. Nothing of it is published before it is stored.
///
/// At most one write is scheduled at a time. A write takes all that has come together, in the order in which it came, and
/// each callback is called once. A closed outbox schedules nothing.
struct Outbox: Sendable {
    enum Item: Sendable {
        /// For the device's subscribers.
        case delivery(Delivery)
        /// For subscribers of events.
        case event(GatewayEvent)
        case record(JournalEntry)
        /// For clients that wait for an expectation.
        case newEntry(JournalEntry)
        /// The journal entry with this number has changed; for clients that wait for such changes.
        case changedEntry(UInt64)
    }

    struct Publication: Sendable {
        let item: Item
        /// Later subscribers have the item in what they started with.
        let lastSubscriber: UInt64
        /// Later clients have the item in what their wait started with.
        let lastWaiter: UInt64
    }

    /// What one write of the store settles.
    struct Batch: Sendable {
        var publications: [Publication] = []
        var callbacks: [@Sendable (_ isStored: Bool) -> Void] = []
        /// How many requests were judged.
        var requests = 0
    }

    /// Why the store takes nothing at the moment.
    struct Failure: Equatable, Sendable {
        /// How many requests were refused because of it.
        var refused = 0
        /// Whether the world has changes that could not be stored, so that it has to be loaded from the store first.
        var isAhead = true
    }

    private(set) var batch = Batch()
    private var isScheduled = false
    private(set) var isClosed = false
    /// Set from a failed write until the store can be written again.
    private(set) var failure: Failure?

    mutating func add(_ publication: Publication) { batch.publications.append(publication) }

    mutating func countRequest() { batch.requests += 1 }

    /// - Returns: False if nothing is stored any more, so that there is nothing to wait for.
    mutating func whenStored(_ callback: @escaping @Sendable (_ isStored: Bool) -> Void) -> Bool {
        guard !isClosed else { return false }
        batch.callbacks.append(callback)
        return true
    }

    /// - Returns: Whether the store has to be asked to write; false if it was asked already.
    mutating func schedule() -> Bool {
        guard !isClosed else { return false }
        defer { isScheduled = true }
        return !isScheduled
    }

    /// Takes what the next write settles.
    mutating func take() -> Batch {
        defer { (batch, isScheduled) = (Batch(), false) }
        return batch
    }

    /// Stores nothing more. What still comes in waits for nothing.
    mutating func close() { isClosed = true }

    // MARK: Failures

    /// A write failed.
    ///
    /// - Parameter requests: How many requests it would have settled, which are refused now.
    /// - Returns: Whether the store could be written until now.
    mutating func writeFailed(refusing requests: Int = 0) -> Bool {
        let isNew = failure == nil
        failure = Failure(refused: (failure?.refused ?? 0) + requests)
        return isNew
    }

    mutating func countRefusals(_ count: Int = 1) { failure?.refused += count }

    /// The world is loaded from the store again.
    ///
    /// - Returns: The callbacks whose decisions are undone. Their publications are dropped.
    mutating func reloaded() -> [@Sendable (_ isStored: Bool) -> Void] {
        failure?.isAhead = false
        let undone = take()
        countRefusals(undone.requests)
        return undone.callbacks
    }

    /// The store can be written again.
    ///
    /// - Returns: How many requests were refused; nil if the failure is not over.
    mutating func recovered() -> Int? {
        guard let failure, !failure.isAhead else { return nil }
        self.failure = nil
        return failure.refused
    }
}
