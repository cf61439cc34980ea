package import PushDispatch

/// The decisions of a selective sync: which records go into which request and when, and what that means for the pushes
/// that wait. No clock, task, store or random source.
///
/// A *ticket* is somebody who waits for records, usually a push. Nothing is fetched without one; what waits beside it
/// comes along.
package struct SyncCore: Sendable {
    package struct TicketID: Hashable, Sendable { fileprivate let number: Int }
    package struct RequestID: Hashable, Sendable { fileprivate let number: Int }

    /// Finding the id that the server refuses is worth this many requests more.
    static let maximumSplits = 24

    package let policy: SyncPolicy
    let objects: [String: SyncObject]
    var queues: [String: SyncQueue] = [:]
    var tickets: [TicketID: Ticket] = [:]
    var requests: [RequestID: Request] = [:]
    var network = SyncNetwork.unmetered
    /// Requests that failed one after another; any answer starts anew.
    private var failures = 0
    private var notBefore: DispatchMoment?
    private var lastNumber = 0
    private var count = 0

    package init(objects: [SyncObject], policy: SyncPolicy) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.policy = policy
    }

    struct Ticket: Sendable {
        let object: String
        let stopAt: DispatchMoment
        var waiting: Set<RecordID>
        /// Whether everything that waits for the object is wanted, named or not.
        let wantsAll: Bool
        var lost: [RecordID] = []
        /// What came along in a request that brought nothing, and in none since that did.
        var missed: Set<RecordID> = []
        var changed = 0
        var isFailed = false
        var tries = 0
        /// Whether no request begins for it any more; it ends when those under way have.
        var isOver = false
    }

    struct Request: Sendable {
        let object: String
        var records: [RecordID]
        /// The mark that each had when the request went out.
        var marks: [PendingMark?]
        var tickets: [[TicketID]]
    }

    /// Records waiting or being fetched, over all objects.
    package var pendingCount: Int { count }
}

// MARK: - What the shell is told

extension SyncCore {
    package struct Reception: Hashable, Sendable {
        package let ticket: TicketID
        /// Not for this device: to be forgotten.
        package let outOfScope: [PendingRecord]
        /// There was no room for all of them; a regular sync has to bring the rest.
        package let isFull: Bool
    }

    package struct Start: Hashable, Sendable {
        package let request: RequestID
        package let fetch: FetchRequest
        /// Who is to be told that a request goes out.
        package let tickets: [TicketID]
    }

    /// What a ticket learns.
    package struct News: Hashable, Sendable {
        package let ticket: TicketID
        /// Records of it that need nothing more.
        package var done: [RecordID]
        package var changed: Int
        /// Its end, if this is it.
        package var report: HandlerReport?
    }
}

// MARK: - Hints

extension SyncCore {
    /// A push names records, or somebody wants all that waits (`records` empty).
    ///
    /// - Parameters:
    ///   - mark: Under which the hint is in the pending store; nil where it is not.
    ///   - stopAt: No request for it begins later.
    package mutating func receive(
        _ records: [RecordID], of object: String, mark: PendingMark?, stopAt: DispatchMoment, at now: DispatchMoment
    ) -> Reception {
        let id = TicketID(number: nextNumber())
        var ticket = Ticket(object: object, stopAt: stopAt, waiting: [], wantsAll: records.isEmpty)
        // Taken out while it changes, so that nothing is copied.
        var queue = queues.removeValue(forKey: object) ?? SyncQueue()
        var outOfScope: [PendingRecord] = []
        let isInScope = objects[object]?.isInScope
        for record in records {
            guard isInScope?(record) == true else {
                outOfScope.append(PendingRecord(record, mark: mark ?? .start))
                continue
            }
            guard count < policy.maximumPending || queue[record] != nil else {
                ticket.lost.append(record)
                continue
            }
            switch queue.hint(record, mark: mark, for: id, isLive: { tickets[$0] != nil }) {
            case .added: count += 1
            case .waiting: break
            case .joined(let request, let index): requests[request]?.tickets[index].append(id)
            }
            ticket.waiting.insert(record)
        }
        if records.isEmpty { ticket.waiting = queue.everything }
        if !ticket.waiting.isEmpty, queue.gatherUntil == nil {
            queue.gatherUntil = now.advanced(byMilliseconds: records.isEmpty ? 0 : policy.gatherMilliseconds)
        }
        if records.isEmpty { queue.attach(id, isLive: { tickets[$0] != nil }) { requests[$0]?.tickets[$1].append(id) } }
        queues[object] = queue
        ticket.isFailed = !ticket.lost.isEmpty
        tickets[id] = ticket
        return Reception(ticket: id, outOfScope: outOfScope, isFull: !ticket.lost.isEmpty)
    }

    package struct Loading: Hashable, Sendable {
        /// Not for this device: to be forgotten.
        package var outOfScope: [PendingRecord] = []
        /// How many are new here.
        package var added = 0
        /// The oldest that there was no room for; to be loaded again later.
        package var left: PendingMark?
    }

    /// Hints from the pending store, left by earlier pushes, oldest first.
    package mutating func load(_ pending: [PendingRecord], of object: String) -> Loading {
        var loading = Loading()
        guard let isInScope = objects[object]?.isInScope else { return loading }
        // Taken out while it changes, so that nothing is copied.
        var queue = queues.removeValue(forKey: object) ?? SyncQueue()
        for item in pending {
            if !isInScope(item.record) {
                loading.outOfScope.append(item)
            } else if count < policy.maximumPending || queue[item.record] != nil {
                if queue.load(item) {
                    count += 1
                    loading.added += 1
                }
            } else {
                loading.left = min(loading.left ?? item.mark, item.mark)
            }
        }
        queues[object] = queue
        return loading
    }

    /// Forgets hints of other objects that nobody waits for: they are in the store, or were told to be unfinished.
    ///
    /// - Returns: The objects of which some were forgotten; they are to be loaded again.
    package mutating func makeRoom(besides object: String) -> [String] {
        queues.keys.sorted().filter { name in
            guard name != object, var queue = queues.removeValue(forKey: name) else { return false }
            let dropped = queue.dropIdle { tickets[$0] != nil }
            queues[name] = queue.isEmpty ? nil : queue
            count -= dropped
            return dropped > 0
        }
    }

    /// Whether records of the object wait or are under way.
    package func hasRecords(of object: String) -> Bool { queues[object]?.isEmpty == false }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Requests

extension SyncCore {
    /// The requests that go out now.
    package mutating func next(at now: DispatchMoment) -> [Start] {
        var starts: [Start] = []
        while requests.count < policy.maximumRequests, let start = nextStart(at: now) { starts.append(start) }
        return starts
    }

    private mutating func nextStart(at now: DispatchMoment) -> Start? {
        if let notBefore, notBefore > now { return nil }
        for name in queues.keys.sorted() {
            guard let object = objects[name], object.network.allows(network), var queue = queues[name],
                let stopAt = latestStop(of: name), stopAt > now,
                queue.isReady(at: now, batch: policy.maximumBatch)
            else { continue }
            queues[name] = nil
            let id = RequestID(number: nextNumber())
            let request = queue.take(policy.maximumBatch, of: name, for: id)
            queues[name] = queue
            guard !request.records.isEmpty else { continue }
            requests[id] = request
            let fetch = FetchRequest(
                object: name, records: request.records, fields: object.fields,
                timeoutMilliseconds: stopAt.milliseconds(since: now))
            let waiting = Set(request.tickets.joined()).filter { tickets[$0] != nil }
            return Start(request: id, fetch: fetch, tickets: waiting.sorted { $0.number < $1.number })
        }
        return nil
    }

    private func latestStop(of object: String) -> DispatchMoment? {
        tickets.values.filter { $0.object == object && !$0.isOver }.map(\.stopAt).max()
    }

    /// Nobody else stops those who want all that waits: they end here, or with what is under way for them.
    package mutating func timeRanOut(at now: DispatchMoment) -> [News] {
        let late = tickets.filter { $0.value.wantsAll && !$0.value.isOver && $0.value.stopAt <= now }
        for id in late.keys { tickets[id]?.isOver = true }
        return late.isEmpty ? [] : endSpent()
    }

    /// When `timeRanOut(at:)` and `next(at:)` are to be asked again, nothing else happening; nil if time alone changes
    /// nothing.
    package func wakeUp(at now: DispatchMoment) -> DispatchMoment? {
        var earliest = tickets.values.filter { $0.wantsAll && !$0.isOver }.map(\.stopAt).min()
        guard requests.count < policy.maximumRequests else { return earliest }
        for (name, queue) in queues {
            guard objects[name]?.network.allows(network) == true, let stopAt = latestStop(of: name),
                let ready = queue.readyAt(batch: policy.maximumBatch)
            else { continue }
            let moment = max(ready, notBefore ?? ready)
            if moment > now, moment < stopAt { earliest = min(earliest ?? moment, moment) }
        }
        return earliest
    }

    /// The answers are stored.
    ///
    /// - Parameter again: Records that are to be fetched once more all the same.
    package mutating func stored(
        _ id: RequestID, changed: [RecordID], again: [RecordID] = [], at now: DispatchMoment
    ) -> [News] {
        failures = 0
        notBefore = nil
        return settle(id, changed: Set(changed), again: Set(again), isFailed: false, at: now)
    }

    /// False once it was answered or dropped.
    package func isOpen(_ id: RequestID) -> Bool { requests[id] != nil }

    /// What the batch of `id` serves, for the store to forget with it.
    package func served(by id: RequestID) -> [PendingRecord] {
        guard let request = requests[id] else { return [] }
        return zip(request.records, request.marks).compactMap { record, mark in
            mark.map { PendingRecord(record, mark: $0) }
        }
    }

    private mutating func settle(
        _ id: RequestID, changed: Set<RecordID>, again: Set<RecordID>, isFailed: Bool, at now: DispatchMoment
    ) -> [News] {
        guard let request = requests.removeValue(forKey: id), var queue = queues.removeValue(forKey: request.object)
        else { return [] }
        var news: [TicketID: News] = [:]
        let missing = tickets.filter { !$0.value.missed.isEmpty }.map(\.key)
        for (index, record) in request.records.enumerated() {
            if again.contains(record) {
                queue.putBack(record, tickets: request.tickets[index], isFresh: true)
                continue
            }
            if queue.settle(record, of: id) { count -= 1 }
            for ticket in missing { tickets[ticket]?.missed.remove(record) }
            var isWanted = false
            for ticket in request.tickets[index] where tickets[ticket] != nil {
                isWanted = true
                add(record, isChanged: changed.contains(record), isFailed, to: ticket, &news)
            }
            // What came along without a push of its own counts for all that wait for the object.
            guard !isWanted, isFailed || changed.contains(record) else { continue }
            for ticket in tickets.keys where tickets[ticket]?.object == request.object {
                if isFailed { tickets[ticket]?.isFailed = true }
                guard changed.contains(record) else { continue }
                tickets[ticket]?.changed += 1
                news[ticket, default: News(ticket: ticket, done: [], changed: 0, report: nil)].changed += 1
            }
        }
        if queue.hasWaiting, queue.gatherUntil == nil { queue.gatherUntil = now }
        queues[request.object] = queue.isEmpty ? nil : queue
        return endFinished(news)
    }

    private mutating func add(
        _ record: RecordID, isChanged: Bool, _ isFailed: Bool, to ticket: TicketID, _ news: inout [TicketID: News]
    ) {
        guard tickets[ticket]?.waiting.remove(record) != nil else { return }
        var item = news[ticket] ?? News(ticket: ticket, done: [], changed: 0, report: nil)
        item.done.append(record)
        if isChanged {
            item.changed += 1
            tickets[ticket]?.changed += 1
        }
        if isFailed { tickets[ticket]?.isFailed = true }
        news[ticket] = item
    }

    /// Adds the report to the news of tickets that wait for nothing more.
    private mutating func endFinished(_ news: [TicketID: News]) -> [News] {
        var news = news
        for (id, ticket) in tickets {
            let isSpent = ticket.isOver && !isUnderWay(id, ticket)
            guard isSpent || ticket.waiting.isEmpty && !hasWork(id, ticket) else { continue }
            if isSpent, ticket.wantsAll || !ticket.waiting.isEmpty { tickets[id]?.isFailed = true }
            news[id, default: News(ticket: id, done: [], changed: 0, report: nil)].report = report(id)
        }
        return news.values.sorted { $0.ticket.number < $1.ticket.number }
    }

    /// Whether a request is still to be answered that has records of the ticket, or some that come along.
    private func isUnderWay(_ id: TicketID, _ ticket: Ticket) -> Bool {
        requests.values.contains { request in
            request.object == ticket.object
                && request.tickets.contains { $0.contains(id) || isCompanion($0) }
        }
    }

    /// Whether nobody who waits has named a record, so that it comes along for all.
    private func isCompanion(_ owners: [TicketID]) -> Bool { !owners.contains { tickets[$0] != nil } }

    /// Whether something that comes along with the ticket waits or is under way.
    private func hasWork(_ id: TicketID, _ ticket: Ticket) -> Bool {
        queues[ticket.object]?.hasBacklog == true && objects[ticket.object]?.network.allows(network) == true
            || isUnderWay(id, ticket)
    }

    private mutating func report(_ id: TicketID) -> HandlerReport? {
        guard let ticket = tickets.removeValue(forKey: id) else { return nil }
        let unfinished = ticket.lost + ticket.waiting.sorted()
        return HandlerReport(
            changed: ticket.changed, unfinished: unfinished,
            isFailed: ticket.isFailed || !unfinished.isEmpty || !ticket.missed.isEmpty)
    }
}

// MARK: - What goes wrong

extension SyncCore {
    package struct Failure: Hashable, Sendable {
        package let news: [News]
        /// Records that are not to be asked for again.
        package let dropped: [PendingRecord]
        /// When the next try is made; nil if there is none.
        package let retryAt: DispatchMoment?
    }

    /// A request brought nothing.
    package mutating func failed(
        _ id: RequestID, _ error: FetchError, at now: DispatchMoment, random: UInt64
    ) -> Failure {
        guard let request = requests[id] else { return Failure(news: [], dropped: [], retryAt: nil) }
        switch error.advice {
        case .dropRecord:
            if request.records.count == 1 {
                let dropped = served(by: id)
                return Failure(news: drop(id, at: now), dropped: dropped, retryAt: nil)
            }
            if queues[request.object]?.split(request) == true {
                requests[id] = nil
                return Failure(news: endSpent(), dropped: [], retryAt: nil)
            }
            return Failure(news: giveUp(id), dropped: [], retryAt: nil)
        case .stop:
            if var all = requests[id] {
                queues[request.object]?.takeAll(into: &all, id)
                requests[id] = all
            }
            let dropped = served(by: id)
            return Failure(news: drop(id, at: now), dropped: dropped, retryAt: nil)
        case .logIn, .keep: return Failure(news: giveUp(id), dropped: [], retryAt: nil)
        case .retryLater: return retry(id, request, error, at: now, random: random)
        }
    }

    /// The store did not take the answers: nothing more is fetched that it could not take either.
    package mutating func notStored(_ id: RequestID) -> [News] { giveUp(id) }

    private mutating func drop(_ id: RequestID, at now: DispatchMoment) -> [News] {
        settle(id, changed: [], again: [], isFailed: true, at: now)
    }

    /// The records go back to waiting, and whoever waits for their object ends here, or with what is under way.
    private mutating func giveUp(_ id: RequestID) -> [News] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        for (id, ticket) in tickets where ticket.object == request.object { tickets[id]?.isOver = true }
        putBack(request)
        return endSpent()
    }

    private mutating func putBack(_ request: Request) {
        let companions = zip(request.records, request.tickets).filter { isCompanion($0.1) }.map(\.0)
        for (id, ticket) in tickets where ticket.object == request.object {
            tickets[id]?.missed.formUnion(companions)
        }
        for (index, record) in request.records.enumerated() {
            let waiting = request.tickets[index].filter { tickets[$0]?.isOver == false }
            queues[request.object]?.putBack(record, tickets: waiting, isFresh: false)
        }
    }

    private mutating func retry(
        _ id: RequestID, _ request: Request, _ error: FetchError, at now: DispatchMoment, random: UInt64
    ) -> Failure {
        requests[id] = nil
        // Nobody waited for it any more; the server has done nothing wrong.
        guard error.code != .cancelled else {
            putBack(request)
            return Failure(news: [], dropped: [], retryAt: nil)
        }
        failures += 1
        let backoff = policy.backoff(afterTry: failures, random: random)
        let retryAt = now.advanced(byMilliseconds: max(backoff, error.retryAfterMilliseconds ?? 0))
        notBefore = max(notBefore ?? retryAt, retryAt)
        for ticket in Set(request.tickets.joined()) { tickets[ticket]?.tries += 1 }
        for (id, ticket) in tickets
        where ticket.object == request.object && (ticket.tries >= policy.maximumTries || ticket.stopAt <= retryAt) {
            tickets[id]?.isOver = true
        }
        putBack(request)
        let news = endSpent()
        let isAwaited = tickets.values.contains { $0.object == request.object && !$0.isOver }
        return Failure(news: news, dropped: [], retryAt: isAwaited ? retryAt : nil)
    }

    /// What another request is about to bring belongs into the report.
    private mutating func endSpent() -> [News] {
        end(tickets.filter { $0.value.isOver && !isUnderWay($0.key, $0.value) })
    }

    private mutating func end(_ over: [TicketID: Ticket]) -> [News] {
        over.keys.sorted { $0.number < $1.number }.map { id in
            tickets[id]?.isFailed = true
            return News(ticket: id, done: [], changed: 0, report: report(id))
        }
    }

    /// Whoever waits was told to stop. Its records go on waiting, without it.
    ///
    /// - Parameter storing: Requests whose answers are just being stored, which belongs into the report.
    /// - Returns: Its report, where nothing of it is being stored, and the requests that nobody waits for any more.
    package mutating func cancel(
        _ ticket: TicketID, storing: Set<RequestID> = []
    ) -> (report: HandlerReport?, requests: [RequestID]) {
        guard let stopped = tickets[ticket] else { return (nil, []) }
        if storing.contains(where: { requests[$0]?.tickets.contains { $0.contains(ticket) } == true }) {
            tickets[ticket]?.isOver = true
            return (nil, [])
        }
        // What comes along is no longer waited for.
        if hasWork(ticket, stopped) { tickets[ticket]?.isFailed = true }
        let report = report(ticket)
        guard !tickets.values.contains(where: { $0.object == stopped.object }) else { return (report, []) }
        return (
            report, requests.filter { $0.value.object == stopped.object }.map(\.key).sorted { $0.number < $1.number }
        )
    }

    /// Tickets that wait for nothing: their objects may not be fetched on this network, the server wants to be left alone
    /// for longer than they have, or nothing is left to fetch.
    package mutating func settled() -> [News] {
        let refused = tickets.filter { id, ticket in
            guard !ticket.waiting.isEmpty else { return false }
            if let notBefore, notBefore >= ticket.stopAt, !isUnderWay(id, ticket) { return true }
            return objects[ticket.object]?.network.allows(network) != true
                && !requests.values.contains { $0.object == ticket.object }
        }
        return end(refused) + endFinished([:])
    }

    package mutating func networkChanged(to network: SyncNetwork) {
        if network != .offline, self.network == .offline {
            failures = 0
            notBefore = nil
        }
        self.network = network
    }

    /// Another user, or none: everything that waits is dropped, and answers still to come are not taken.
    package mutating func reset() -> (news: [News], requests: [RequestID]) {
        let open = requests.keys.sorted { $0.number < $1.number }
        requests = [:]
        queues = [:]
        count = 0
        failures = 0
        notBefore = nil
        for id in tickets.keys {
            tickets[id]?.waiting = []
            tickets[id]?.lost = []
        }
        return (end(tickets), open)
    }
}
