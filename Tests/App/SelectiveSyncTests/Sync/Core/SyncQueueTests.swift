import PushDispatch
import Testing

@testable import SelectiveSync

/// Records whose push has ended before they were fetched.
struct SyncQueueTests {
    /// Record 9 is out of scope, so a push that names it alone needs nothing itself.
    private var core = SyncCore(
        objects: [SyncObject("Account", fields: [], isInScope: { $0 != .test(9) })], policy: SyncPolicy())

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    private mutating func hint(_ numbers: Int..., mark: Int64 = 1, at now: Int64 = 0) -> SyncCore.TicketID {
        core.receive(
            numbers.map(RecordID.test), of: "Account", mark: PendingMark(number: mark), stopAt: at(now + 24_000),
            at: at(now)
        ).ticket
    }

    private mutating func start(at now: Int64) throws -> SyncCore.Start {
        let starts = core.next(at: at(now))
        try #require(starts.count == 1)
        return starts[0]
    }

    /// A push that needs nothing itself waits for these records, and reports them.
    private mutating func expectCompanions(_ numbers: Int..., at now: Int64) throws {
        let ticket = hint(9, mark: 99, at: now)
        #expect(core.settled() == [])
        let start = try start(at: now + 100)
        let records = numbers.map(RecordID.test)
        #expect(start.fetch.records == records && start.tickets == [])
        let updates = core.stored(start.request, changed: records, at: at(now + 200))
        #expect(updates.map(\.ticket) == [ticket])
        #expect(updates.first?.report == HandlerReport(changed: numbers.count))
    }

    @Test mutating func `a hint whose request the server refused, and one that came meanwhile`() throws {
        let first = hint(1)
        let request = try start(at: 100).request
        let second = hint(1, mark: 2, at: 150)
        let refusal = FetchError(FetchError.Code("FORBIDDEN"), status: 403, advice: .keep, "x")
        let failure = core.failed(request, refusal, at: at(200), random: 0)
        #expect(failure.updates.map(\.ticket) == [first, second])
        try expectCompanions(1, at: 300)
    }

    @Test mutating func `a hint whose push was cancelled before its request started`() throws {
        let first = hint(1)
        #expect(core.cancel(first).report?.unfinished == [.test(1)])
        try expectCompanions(1, at: 300)
    }

    @Test mutating func `a hint that came during a request, and whose push ended before the answer`() throws {
        let first = hint(1)
        let request = try start(at: 100).request
        _ = core.cancel(hint(1, mark: 2, at: 150))
        _ = core.stored(request, changed: [.test(1)], at: at(200))
        _ = core.cancel(first)
        try expectCompanions(1, at: 300)
    }

    @Test mutating func `half of a refused batch whose push was cancelled`() throws {
        let first = hint(1, 2)
        let unknown = FetchError(.notFound, status: 404, advice: .dropRecord, "x")
        #expect(core.failed(try start(at: 100).request, unknown, at: at(200), random: 0).updates == [])
        #expect(core.cancel(first).report?.unfinished == [.test(1), .test(2)])
        let ticket = hint(9, mark: 99, at: 300)
        #expect(core.settled() == [])
        let starts = core.next(at: at(400))
        #expect(starts.map(\.fetch.records) == [[.test(1)], [.test(2)]])
        var reports: [HandlerReport?] = []
        for start in starts {
            let updates = core.stored(start.request, changed: start.fetch.records, at: at(500))
            #expect(updates.map(\.ticket) == [ticket])
            reports += updates.map(\.report)
        }
        #expect(reports == [nil, HandlerReport(changed: 2)])
    }

    @Test mutating func `pushes that come while nothing can be fetched take no memory each`() throws {
        core.networkChanged(to: .offline)
        for number in 0..<10_000 {
            _ = hint(number % 3, mark: Int64(number))
            #expect(core.settled().count == 1)
        }
        #expect(try #require(core.queues["Account"]).lineLength < 200)
        core.networkChanged(to: .unmetered)
        _ = hint(3, mark: 10_000, at: 100)
        #expect(Set(try start(at: 200).fetch.records) == Set((0...3).map(RecordID.test)))
    }
}
