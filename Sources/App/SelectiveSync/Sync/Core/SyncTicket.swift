import PushDispatch

extension SyncCore {
    /// A push that waits for the records it names, or a call that waits for everything that is pending.
    struct Ticket: Sendable {
        enum Scope: Sendable {
            /// The records that a push names.
            case named
            /// Everything that waits for the object.
            case everything
        }

        enum State: Sendable {
            /// Requests start for it; `tries` of them have failed.
            case open(tries: Int)
            /// No request starts for it any more. It ends with the last of its requests in flight.
            case closing
        }

        let object: String
        let scope: Scope
        /// No request for it starts later.
        let stopAt: DispatchMoment
        private(set) var state = State.open(tries: 0)
        private(set) var hasFailed = false
        var waiting: Set<RecordID> = []
        /// Named records that did not fit into memory.
        var lost: [RecordID] = []
        /// Records that no hint named and whose request failed, until another request brings them.
        var missed: Set<RecordID> = []
        var changed = 0

        init(object: String, scope: Scope, stopAt: DispatchMoment) {
            self.object = object
            self.scope = scope
            self.stopAt = stopAt
        }

        var isOpen: Bool {
            if case .open = state { true } else { false }
        }

        /// Counts a failed request.
        mutating func countTry() {
            if case .open(let tries) = state { state = .open(tries: tries + 1) }
        }

        /// Closes the ticket if it has used its tries, or if the next one comes too late for it.
        mutating func closeUnlessRetried(at retryAt: DispatchMoment, maximumTries: Int) {
            if case .open(let tries) = state, tries >= maximumTries || stopAt <= retryAt { state = .closing }
        }

        mutating func close() { state = .closing }

        mutating func fail() { hasFailed = true }

        /// Drops the records that it waits for: they belong to a previous user.
        mutating func dropRecords() {
            waiting = []
            lost = []
        }

        var report: HandlerReport {
            let unfinished = lost + waiting.sorted()
            return HandlerReport(
                changed: changed, unfinished: unfinished,
                isFailed: hasFailed || !unfinished.isEmpty || !missed.isEmpty)
        }
    }
}
