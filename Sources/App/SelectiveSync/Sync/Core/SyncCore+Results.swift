package import PushDispatch

// What the core returns to the actor around it.
extension SyncCore {
    package struct Reception: Hashable, Sendable {
        package let ticket: TicketID
        /// Records out of this device's scope, to be removed from the pending store.
        package let outOfScope: [PendingRecord]
        /// Whether memory was full. A regular sync has to bring the records that did not fit.
        package let isFull: Bool
    }

    package struct Loading: Hashable, Sendable {
        /// Records out of this device's scope, to be removed from the pending store.
        package var outOfScope: [PendingRecord] = []
        /// How many were not in memory before.
        package var added = 0
        /// The oldest mark that did not fit into memory. It has to be loaded again later.
        package var left: PendingMark?
    }

    package struct Start: Hashable, Sendable {
        package let request: RequestID
        package let fetch: FetchRequest
        /// Tickets whose records the request fetches.
        package let tickets: [TicketID]
    }

    /// What an answer or a failure means for one ticket.
    package struct TicketUpdate: Hashable, Sendable {
        package let ticket: TicketID
        /// Records of the ticket that need nothing more.
        package var done: [RecordID] = []
        package var changed = 0
        /// Present where the ticket has ended.
        package var report: HandlerReport?
    }

    package struct Failure: Hashable, Sendable {
        package let updates: [TicketUpdate]
        /// Records that must not be asked for again.
        package let dropped: [PendingRecord]
        /// When the request is tried again; nil if it is not.
        package let retryAt: DispatchMoment?
    }
}
