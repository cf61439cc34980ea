import PushDispatch
import SelectiveSync
import TestSeeds
import Testing

struct SyncCoreTests {
    private func core(
        _ objects: [SyncObject] = [SyncObject("Account", fields: []), SyncObject("Case", fields: [])],
        _ change: (inout SyncPolicy) -> Void = { _ in }
    ) -> SyncCore {
        var policy = SyncPolicy()
        change(&policy)
        return SyncCore(objects: objects, policy: policy)
    }

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    private func hint(
        _ core: inout SyncCore, _ numbers: Int..., object: String = "Account", mark: Int64 = 1, stopAt: Int64 = 24_000,
        at now: Int64 = 0
    ) -> SyncCore.TicketID {
        core.receive(
            numbers.map(RecordID.test), of: object, mark: PendingMark(number: mark), stopAt: at(stopAt), at: at(now)
        ).ticket
    }

    private func only(_ starts: [SyncCore.Start]) throws -> SyncCore.Start {
        try #require(starts.count == 1)
        return starts[0]
    }

    private static let busy = FetchError(.serverUnavailable, status: 503, advice: .retryLater, "x")

    @Test func `hints that arrive close together make one request`() throws {
        var core = core()
        let first = hint(&core, 1, 2)
        let second = hint(&core, 2, 3, mark: 2, at: 60)
        #expect(core.next(at: at(99)).isEmpty)
        #expect(core.startsNext(at: at(99)) == at(100))
        let start = try only(core.next(at: at(100)))
        #expect(start.fetch.records == [.test(1), .test(2), .test(3)])
        #expect(start.tickets == [first, second])
        let updates = core.stored(start.request, changed: [.test(1)], at: at(200))
        #expect(updates.map(\.report) == [HandlerReport(changed: 1), HandlerReport(changed: 0)])
    }

    @Test func `both forms of an id are one record`() throws {
        var core = core()
        let short = try #require(RecordID("001xx000003DGb2"))
        let long = try #require(RecordID("001xx000003DGb2AAG"))
        _ = core.receive([short, long], of: "Account", mark: nil, stopAt: at(24_000), at: at(0))
        #expect(try only(core.next(at: at(100))).fetch.records == [short])
    }

    @Test func `each object has its own requests, and no more start than allowed`() {
        var core = core { $0.maximumRequests = 1 }
        _ = hint(&core, 1)
        _ = hint(&core, 2, object: "Case")
        #expect(core.next(at: at(100)).map(\.fetch.object) == ["Account"])
        #expect(core.next(at: at(100)).isEmpty)
    }

    @Test func `a full batch does not wait for the end of the window`() {
        var core = core { $0.maximumBatch = 2 }
        _ = hint(&core, 1, 2, 3, 4, 5)
        #expect(core.next(at: at(0)).map(\.fetch.records.count) == [2, 2])
        #expect(core.next(at: at(100)).isEmpty)
    }

    @Test func `a record in flight is never in a second request, and a hint meanwhile makes one more`() throws {
        var core = core()
        let first = hint(&core, 1, mark: 1)
        let start = try only(core.next(at: at(100)))
        let second = hint(&core, 1, mark: 2, at: 150)
        #expect(core.next(at: at(10_000)).isEmpty)
        let updates = core.stored(start.request, changed: [.test(1)], at: at(10_000))
        #expect(updates.map(\.ticket) == [first] && updates.first?.report?.changed == 1)
        let again = try only(core.next(at: at(10_100)))
        #expect(again.fetch.records == [.test(1)] && again.tickets == [second])
        #expect(core.served(by: again.request) == [PendingRecord(.test(1), mark: PendingMark(number: 2))])
        #expect(core.stored(again.request, changed: [], at: at(10_200)).map(\.report) == [HandlerReport(changed: 0)])
    }

    @Test func `a request covers a hint that was kept before it started`() throws {
        var core = core()
        _ = hint(&core, 1, mark: 1)
        #expect(core.load([PendingRecord(.test(2), mark: PendingMark(number: 2))], of: "Account").added == 1)
        let start = try only(core.next(at: at(100)))
        let late = hint(&core, 2, mark: 2, at: 110)
        let updates = core.stored(start.request, changed: [.test(2)], at: at(200))
        #expect(updates.first { $0.ticket == late }?.report == HandlerReport(changed: 1))
        #expect(core.pendingCount == 0)
    }

    @Test func `a hint found in the store while its record is in flight makes one more fetch`() throws {
        var core = core()
        _ = hint(&core, 1, 2, mark: 1)
        let start = try only(core.next(at: at(100)))
        _ = core.load([PendingRecord(.test(1), mark: PendingMark(number: 5))], of: "Account")
        _ = core.stored(start.request, changed: [], at: at(200))
        #expect(try only(core.next(at: at(300))).fetch.records == [.test(1)])
    }

    @Test func `hints that do not fit are reported, to be loaded later`() throws {
        var core = core { $0.maximumPending = 2 }
        let left = (1...4).map { PendingRecord(.test($0), mark: PendingMark(number: Int64($0))) }
        let loading = core.load(left, of: "Account")
        #expect(loading.added == 2 && loading.left == PendingMark(number: 3))
        #expect(core.pendingCount == 2)
    }

    @Test func `hints that no ticket waits for are unloaded for another object, and have to be loaded again`() throws {
        var core = core { $0.maximumPending = 2 }
        let left = (1...2).map { PendingRecord(.test($0), mark: PendingMark(number: Int64($0))) }
        _ = core.load(left, of: "Case")
        let more = [PendingRecord(.test(3), mark: PendingMark(number: 3))]
        #expect(core.load(more, of: "Account").left == PendingMark(number: 3))
        #expect(core.unloadIdle(besides: "Case").isEmpty && core.unloadIdle(besides: "Account") == ["Case"])
        #expect(core.load(more, of: "Account").added == 1 && core.pendingCount == 1)
        _ = core.receive([], of: "Account", mark: nil, stopAt: at(24_000), at: at(0))
        #expect(core.unloadIdle(besides: "Case").isEmpty)
        #expect(try only(core.next(at: at(0))).fetch.records == [.test(3)])
    }

    @Test func `hints of a push that has ended are unloaded for another object`() throws {
        var core = core { $0.maximumPending = 2 }
        let first = hint(&core, 1, mark: 1)
        let second = core.receive([.test(2)], of: "Account", mark: nil, stopAt: at(24_000), at: at(0)).ticket
        #expect(core.unloadIdle(besides: "Case").isEmpty)
        #expect(core.cancel(first).report?.unfinished == [.test(1)])
        #expect(core.unloadIdle(besides: "Case") == ["Account"] && core.pendingCount == 1)
        // This one is not in the store; its ticket has reported it as unfinished.
        #expect(core.cancel(second).report?.unfinished == [.test(2)])
        #expect(core.unloadIdle(besides: "Case") == ["Account"] && core.pendingCount == 0)
        _ = hint(&core, 1, mark: 2)
        #expect(try only(core.next(at: at(100))).fetch.records == [.test(1)])
    }

    @Test func `records of a push that has ended are fetched with the next one`() throws {
        var core = core { $0.maximumBatch = 1 }
        _ = hint(&core, 7, mark: 1)
        let limit = FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        #expect(core.failed(try only(core.next(at: at(100))).request, limit, at: at(200), random: 0).updates.count == 1)
        let next = hint(&core, 1, mark: 2, at: 300)
        let starts = core.next(at: at(400))
        #expect(starts.map(\.fetch.records) == [[.test(1)], [.test(7)]])
        #expect(core.stored(starts[0].request, changed: [], at: at(500)).compactMap(\.report).isEmpty)
        _ = core.failed(starts[1].request, Self.busy, at: at(500), random: 0)
        #expect(
            core.stored(try only(core.next(at: at(2_000))).request, changed: [], at: at(2_100)).map(\.ticket) == [next])
    }

    @Test func `records that a push names are fetched before the backlog`() throws {
        var core = core { $0.maximumBatch = 2 }
        let left = (10..<13).map { PendingRecord(.test($0), mark: PendingMark(number: 1)) }
        _ = core.load(left, of: "Account")
        #expect(core.next(at: at(0)).isEmpty)
        let ticket = hint(&core, 12, 1, mark: 2)
        let starts = core.next(at: at(0))
        #expect(starts.map(\.fetch.records) == [[.test(12), .test(1)], [.test(10), .test(11)]])
        #expect(core.stored(starts[0].request, changed: [], at: at(1)).compactMap(\.report).isEmpty)
        let updates = core.stored(starts[1].request, changed: [.test(10)], at: at(2))
        #expect(updates.map(\.ticket) == [ticket] && updates.first?.report == HandlerReport(changed: 1))
    }

    @Test func `the waits between tries grow, and half of each is random`() throws {
        var core = core()
        let ticket = hint(&core, 1)
        let first = try only(core.next(at: at(100)))
        #expect(core.failed(first.request, Self.busy, at: at(100), random: 0).retryAt == at(600))
        #expect(core.next(at: at(599)).isEmpty && core.startsNext(at: at(599)) == at(600))
        let second = try only(core.next(at: at(600)))
        #expect(core.failed(second.request, Self.busy, at: at(600), random: 1_000).retryAt == at(2_600))
        let third = try only(core.next(at: at(2_600)))
        let end = core.failed(third.request, Self.busy, at: at(2_600), random: 0)
        #expect(end.retryAt == nil && end.updates.map(\.ticket) == [ticket])
        #expect(end.updates.first?.report == HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true))
        #expect(core.pendingCount == 1)
    }

    @Test func `a request that is given up does not end the push while another is in flight`() throws {
        var core = core {
            $0.maximumBatch = 2
            $0.maximumTries = 1
        }
        let ticket = hint(&core, 1, 2, 3)
        let starts = core.next(at: at(100))
        #expect(starts.map(\.fetch.records.count) == [2, 1])
        let failure = core.failed(starts[1].request, Self.busy, at: at(200), random: 0)
        #expect(failure.updates.isEmpty && failure.retryAt == nil)
        #expect(core.next(at: at(20_000)).isEmpty)
        let updates = core.stored(starts[0].request, changed: [.test(1)], at: at(300))
        #expect(updates.map(\.ticket) == [ticket])
        #expect(updates.first?.report == HandlerReport(changed: 1, unfinished: [.test(3)], isFailed: true))
    }

    @Test func `a request that is not tried again does not end the push while another is in flight`() throws {
        var core = core { $0.maximumBatch = 1 }
        let ticket = hint(&core, 1, 2)
        let starts = core.next(at: at(100))
        let limit = FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        #expect(core.failed(starts[0].request, limit, at: at(200), random: 0).updates.isEmpty)
        #expect(core.next(at: at(200)).isEmpty)
        let updates = core.stored(starts[1].request, changed: [.test(2)], at: at(300))
        #expect(updates.map(\.ticket) == [ticket])
        #expect(updates.first?.report == HandlerReport(changed: 1, unfinished: [.test(1)], isFailed: true))
    }

    @Test(arguments: [false, true])
    func `a companion that fails makes the push fail, whichever answer comes first`(isLast: Bool) throws {
        var core = core { $0.maximumBatch = 1 }
        let ticket = hint(&core, 1)
        _ = core.load([PendingRecord(.test(2), mark: PendingMark(number: 2))], of: "Account")
        let starts = core.next(at: at(100))
        try #require(starts.map(\.fetch.records) == [[.test(1)], [.test(2)]])
        let refusal = FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        var updates: [SyncCore.TicketUpdate] = []
        if isLast { updates += core.stored(starts[0].request, changed: [], at: at(200)) }
        updates += core.failed(starts[1].request, refusal, at: at(210), random: 0).updates
        if !isLast { updates += core.stored(starts[0].request, changed: [], at: at(220)) }
        #expect(updates.first { $0.report != nil }?.ticket == ticket)
        #expect(updates.compactMap(\.report) == [HandlerReport(changed: 0, isFailed: true)])
    }

    @Test func `a push that is cancelled while companions are in flight fails, although its own records are stored`()
        throws
    {
        var core = core { $0.maximumBatch = 1 }
        let ticket = hint(&core, 1)
        _ = core.load([PendingRecord(.test(2), mark: PendingMark(number: 2))], of: "Account")
        let starts = core.next(at: at(100))
        _ = core.stored(starts[0].request, changed: [], at: at(200))
        #expect(core.cancel(ticket).report == HandlerReport(changed: 0, isFailed: true))
    }

    @Test func `a push that is cancelled while the answer for companions is being stored reports them`() throws {
        for isOwn in [false, true] {
            var core = core { $0.maximumBatch = 1 }
            _ = core.load([PendingRecord(.test(2), mark: PendingMark(number: 2))], of: "Account")
            // A push without records of its own, such as one for records out of scope, waits for its companions too.
            let ticket = isOwn ? hint(&core, 2) : hint(&core)
            let start = try only(core.next(at: at(100)))
            #expect(core.cancel(ticket, storing: [start.request]).report == nil)
            let updates = core.stored(start.request, changed: [.test(2)], at: at(200))
            #expect(updates.compactMap(\.report).map(\.result) == [.newData])
        }
    }

    @Test func `a failed companion is no failure once it is fetched, but is one offline`() throws {
        for isOffline in [false, true] {
            var core = core { $0.maximumBatch = 1 }
            _ = hint(&core, 1)
            _ = core.load([PendingRecord(.test(2), mark: PendingMark(number: 2))], of: "Account")
            let starts = core.next(at: at(100))
            _ = core.stored(starts[0].request, changed: [], at: at(200))
            let failure = core.failed(starts[1].request, Self.busy, at: at(210), random: 0)
            let retryAt = try #require(failure.retryAt)
            if isOffline {
                core.networkChanged(to: .offline)
                #expect(core.settled().map(\.report) == [HandlerReport(changed: 0, isFailed: true)])
            } else {
                let again = try only(core.next(at: retryAt))
                #expect(
                    core.stored(again.request, changed: [], at: at(2_000)).map(\.report) == [HandlerReport(changed: 0)])
            }
        }
    }

    @Test(arguments: [FetchError.Advice.keep, .stop, .dropRecord])
    func `a companion that fails counts for the push`(advice: FetchError.Advice) throws {
        var core = core { $0.maximumBatch = 1 }
        _ = core.load([PendingRecord(.test(7), mark: .start)], of: "Account")
        _ = hint(&core, 1, mark: 2)
        let starts = core.next(at: at(100))
        #expect(starts.map(\.fetch.records) == [[.test(1)], [.test(7)]])
        #expect(core.stored(starts[0].request, changed: [], at: at(200)).compactMap(\.report).isEmpty)
        let error = FetchError(.badRequest, advice: advice, "x")
        let failure = core.failed(starts[1].request, error, at: at(300), random: 0)
        #expect(failure.updates.map(\.report) == [HandlerReport(changed: 0, isFailed: true)])
    }

    @Test func `a ticket for everything ends at its time, although a request of another object takes long`() throws {
        var core = core { $0.maximumRequests = 1 }
        _ = hint(&core, 1, object: "Case")
        let slow = try only(core.next(at: at(100)))
        _ = hint(&core, 2, stopAt: 900)
        let all = core.receive([], of: "Account", mark: nil, stopAt: at(2_000), at: at(200)).ticket
        #expect(core.next(at: at(200)).isEmpty && core.endsNext == at(2_000))
        #expect(core.timeRanOut(at: at(1_999)).isEmpty)
        let updates = core.timeRanOut(at: at(2_000))
        #expect(updates.map(\.ticket) == [all])
        #expect(updates.first?.report == HandlerReport(changed: 0, unfinished: [.test(2)], isFailed: true))
        #expect(core.endsNext == nil && core.isOpen(slow.request) && core.pendingCount == 2)
    }

    @Test func `no try starts after the push's time`() throws {
        var core = core()
        _ = hint(&core, 1, stopAt: 500)
        let start = try only(core.next(at: at(100)))
        #expect(start.fetch.timeoutMilliseconds == 400)
        let failure = core.failed(start.request, Self.busy, at: at(200), random: 0)
        #expect(failure.retryAt == nil && failure.updates.first?.report?.unfinished == [.test(1)])
        #expect(core.next(at: at(60_000)).isEmpty)
    }

    @Test func `a new push waits for the back-off of the one before`() throws {
        var core = core { $0.maximumTries = 1 }
        _ = hint(&core, 1)
        let start = try only(core.next(at: at(100)))
        _ = core.failed(start.request, Self.busy, at: at(100), random: 500)
        _ = hint(&core, 2, at: 200)
        #expect(core.next(at: at(999)).isEmpty)
        #expect(try only(core.next(at: at(1_100))).fetch.records == [.test(2), .test(1)])
    }

    @Test func `offline no request starts, and a push ends at once while its records wait`() throws {
        var core = core()
        core.networkChanged(to: .offline)
        _ = hint(&core, 1)
        #expect(core.next(at: at(100)).isEmpty && core.startsNext(at: at(0)) == nil && core.endsNext == nil)
        #expect(core.settled().map(\.report) == [HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true)])
        core.networkChanged(to: .metered)
        _ = core.receive([], of: "Account", mark: nil, stopAt: at(24_000), at: at(200))
        #expect(try only(core.next(at: at(200))).fetch.records == [.test(1)])
    }

    @Test func `an object for Wi-Fi waits on mobile data, another does not`() throws {
        var wifi = SyncObject("Account", fields: [])
        wifi.network = .unmetered
        var core = core([wifi, SyncObject("Case", fields: [])])
        core.networkChanged(to: .metered)
        _ = hint(&core, 1)
        _ = hint(&core, 2, object: "Case")
        #expect(try only(core.next(at: at(100))).fetch.object == "Case")
        #expect(core.settled().count == 1)
    }

    @Test func `records that do not fit are reported, and do not replace those that wait`() {
        var core = core { $0.maximumPending = 2 }
        let reception = core.receive(
            [.test(1), .test(2), .test(3)], of: "Account", mark: nil, stopAt: at(9), at: at(0))
        #expect(reception.isFull && core.pendingCount == 2)
        #expect(core.next(at: at(0)).isEmpty)
    }

    @Test func `another user's records are dropped, and answers for them are ignored`() throws {
        var core = core()
        _ = hint(&core, 1)
        let start = try only(core.next(at: at(100)))
        _ = hint(&core, 2, at: 150)
        let (updates, requests) = core.reset()
        #expect(updates.count == 2 && updates.allSatisfy { $0.report?.unfinished == [] })
        #expect(requests == [start.request] && core.pendingCount == 0)
        #expect(!core.isOpen(start.request))
        #expect(core.stored(start.request, changed: [.test(1)], at: at(200)).isEmpty)
    }

    @Test func `a cancelled push leaves its records waiting, and a request without tickets is cancelled`() throws {
        var core = core()
        let first = hint(&core, 1)
        let second = hint(&core, 2)
        let start = try only(core.next(at: at(100)))
        #expect(core.cancel(first).requests.isEmpty)
        let (report, requests) = core.cancel(second)
        #expect(report?.unfinished == [.test(2)] && requests == [start.request])
        let error = FetchError(.cancelled, advice: .retryLater, "x")
        #expect(core.failed(start.request, error, at: at(200), random: 0).retryAt == nil)
        #expect(core.pendingCount == 2)
        _ = hint(&core, 3, at: 300)
        #expect(try only(core.next(at: at(400))).fetch.records.count == 3)
    }

    /// Random hints, answers and failures.
    @Test(arguments: TestSeed.all(0..<40))
    func `every hint is served by a request that started later, and no record is in two requests`(seed: TestSeed) {
        var generator = seed.generator
        var core = core { $0.maximumBatch = 3 }
        var now: Int64 = 0
        var mark: Int64 = 0
        var hinted: [RecordID: Int64] = [:]
        var served: [RecordID: Int64] = [:]
        var open: [SyncCore.RequestID: (records: [RecordID], mark: Int64)] = [:]
        func pump() {
            for start in core.next(at: at(now)) {
                for (_, other) in open { #expect(Set(other.records).isDisjoint(with: start.fetch.records)) }
                open[start.request] = (start.fetch.records, mark)
            }
        }
        func end(_ id: SyncCore.RequestID, fails: Bool) {
            guard let request = open.removeValue(forKey: id) else { return }
            if fails {
                _ = core.failed(id, Self.busy, at: at(now), random: generator.next())
            } else {
                for record in request.records { served[record] = max(served[record] ?? 0, request.mark) }
                _ = core.stored(id, changed: request.records, at: at(now))
            }
        }
        for _ in 0..<300 {
            now += Int64.random(in: 0...80, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                mark += 1
                let record = Int.random(in: 0..<8, using: &generator)
                hinted[.test(record)] = mark
                _ = hint(&core, record, mark: mark, stopAt: now + 5_000, at: now)
            case 1: pump()
            default:
                let ids = open.keys.sorted { "\($0)" < "\($1)" }
                if let id = ids.randomElement(using: &generator) {
                    end(id, fails: Int.random(in: 0..<4, using: &generator) == 0)
                }
            }
        }
        for _ in 0..<200 where core.pendingCount > 0 {
            now += 60_000
            _ = core.receive([], of: "Account", mark: nil, stopAt: at(now + 5_000), at: at(now))
            pump()
            for id in open.keys { end(id, fails: false) }
        }
        #expect(core.pendingCount == 0 && open.isEmpty)
        for (record, mark) in hinted { #expect(served[record] ?? 0 >= mark) }
    }

    @Test func `the server's own wait is respected`() throws {
        var core = core()
        _ = hint(&core, 1, stopAt: 100_000)
        let start = try only(core.next(at: at(100)))
        var error = Self.busy
        error.retryAfterMilliseconds = 30_000
        #expect(core.failed(start.request, error, at: at(200), random: 0).retryAt == at(30_200))
        #expect(core.next(at: at(30_199)).isEmpty)
        #expect(core.next(at: at(30_200)).count == 1)
    }

    @Test func `a push without the time for the server's wait ends at once`() throws {
        var core = core()
        _ = hint(&core, 1)
        let start = try only(core.next(at: at(100)))
        var error = Self.busy
        error.retryAfterMilliseconds = 60_000
        #expect(core.failed(start.request, error, at: at(200), random: 0).updates.count == 1)
        let late = hint(&core, 2, stopAt: 24_500, at: 500)
        let updates = core.settled()
        #expect(updates.map(\.ticket) == [late])
        #expect(updates.first?.report?.isFailed == true && updates.first?.report?.unfinished == [.test(2)])
        let patient = hint(&core, 3, stopAt: 90_000, at: 600)
        #expect(core.settled().isEmpty)
        #expect(try only(core.next(at: at(60_200))).tickets == [patient])
    }
}
