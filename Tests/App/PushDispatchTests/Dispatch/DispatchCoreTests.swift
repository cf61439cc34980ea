import PushDispatch
import Testing

struct DispatchCoreTests {
    private func core(_ change: (inout DispatchPolicy) -> Void = { _ in }) -> DispatchCore {
        var policy = DispatchPolicy()
        change(&policy)
        return DispatchCore(policy: policy)
    }

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    private func start(
        _ core: inout DispatchCore, _ push: Push = .account(), _ entryPoint: EntryPoint = .background, at now: Int64 = 0
    ) throws -> DispatchCore.Start {
        guard case .start(let start) = receive(&core, push, entryPoint, at: now) else { throw TestError() }
        return start
    }

    private func receive(
        _ core: inout DispatchCore, _ push: Push = .account(), _ entryPoint: EntryPoint = .background,
        deadline: Int64? = nil, at now: Int64
    ) -> DispatchCore.OnReceive {
        core.receive(
            push, HintTypes.standard.read(push), from: entryPoint, deadline: deadline.map(at), at: at(now)
        ).decision
    }

    private func finish(_ core: inout DispatchCore, _ start: DispatchCore.Start, changed: Int = 1) throws
        -> DispatchCore.Settlement
    {
        let settlement = core.handlerReturned(start.timing.run, HandlerReport(changed: changed))
        return try #require(settlement)
    }

    @Test func `a hint stops a second before its deadline of 25 seconds`() throws {
        var core = core()
        let timing = try start(&core, at: 100).timing
        #expect(timing.stopAt == at(24_100) && timing.deadline == at(25_100))
        #expect(core.timeRanOut(timing.run, at: at(24_099)) == nil)
        #expect(core.timeRanOut(timing.run, at: at(24_100))?.keep?.records == [.test(1)])
    }

    @Test func `before the request a duplicate by any entry point joins`() throws {
        var core = core()
        let run = try start(&core).timing.run
        for (entryPoint, now) in [(EntryPoint.foreground, 10), (.background, 20), (.tap, 20_000)]
            as [(EntryPoint, Int64)]
        {
            guard case .join(let timing) = receive(&core, entryPoint: entryPoint, at: now) else { throw TestError() }
            #expect(timing.run == run)
        }
    }

    @Test func `a duplicate with an earlier deadline shortens the run, one with a later does not lengthen it`() throws {
        var core = core()
        _ = try start(&core)
        guard case .join(let more) = receive(&core, at: 5_000) else { throw TestError() }
        #expect(more.deadline == at(25_000))
        guard case .join(let less) = receive(&core, deadline: 8_000, at: 6_000) else { throw TestError() }
        #expect(less.deadline == at(8_000))
    }

    @Test func `after the request only another entry point within a second is a duplicate`() throws {
        var core = core()
        let first = try start(&core)
        core.willSendRequest(first.timing.run)
        guard case .join = receive(&core, entryPoint: .foreground, at: 1_000) else { throw TestError() }
        // The same entry point again: a second change with the same payload.
        guard case .fetchAgain(let again) = receive(&core, entryPoint: .foreground, at: 1_000) else {
            throw TestError()
        }
        #expect(again.run != first.timing.run)
        // The fetch that has not started covers every payload that arrives now.
        guard case .join(let joined) = receive(&core, at: 9_000) else { throw TestError() }
        #expect(joined.run == again.run)
        #expect(try finish(&core, first).next?.timing.run == again.run)
    }

    @Test func `after the window another entry point asks for one more fetch`() throws {
        var core = core()
        core.willSendRequest(try start(&core).timing.run)
        guard case .fetchAgain = receive(&core, entryPoint: .tap, at: 1_001) else { throw TestError() }
    }

    @Test func `a handled push is dropped once for each other entry point within a second`() throws {
        var core = core()
        let first = try start(&core)
        _ = try finish(&core, first)
        #expect(core.answers(of: first.timing.run)?.result == .newData)
        #expect(receive(&core, entryPoint: .foreground, at: 500) == .dropDuplicate)
        guard case .start = receive(&core, entryPoint: .foreground, at: 500) else { throw TestError() }
    }

    @Test func `a handled push comes again by the same entry point or later and is fetched`() throws {
        var core = core()
        for (entryPoint, now) in [(EntryPoint.background, 0), (.background, 1), (.tap, 5_000)] as [(EntryPoint, Int64)]
        {
            let run = try start(&core, .account(), entryPoint, at: now)
            _ = try finish(&core, run)
            _ = core.answers(of: run.timing.run)
        }
    }

    @Test func `a failed push is not remembered as handled`() throws {
        var core = core()
        let first = try start(&core)
        _ = core.handlerReturned(first.timing.run, nil)
        _ = core.answers(of: first.timing.run)
        guard case .start = receive(&core, entryPoint: .foreground, at: 1) else { throw TestError() }
    }

    @Test func `pushes differ by their payload unless the sender gives them an id`() throws {
        var byPayload = core()
        _ = try start(&byPayload, .account(1))
        _ = try start(&byPayload, .account(2))
        var byID = core { $0.identityKey = "push" }
        func push(_ id: String, _ extra: Int) -> Push {
            Push(userInfo: ["type": "ACCOUNT_UPDATE", "accountId": "001xx000003DGb2", "push": id, "n": extra])
        }
        _ = try start(&byID, push("a", 1))
        guard case .join = receive(&byID, push("a", 2), at: 1) else { throw TestError() }
        _ = try start(&byID, push("b", 1))
    }

    @Test func `calls are answered once, with the result of the run`() throws {
        var core = core()
        let first = try start(&core)
        _ = receive(&core, entryPoint: .tap, at: 1)
        #expect(core.answers(of: first.timing.run) == nil)
        _ = try finish(&core, first)
        #expect(core.handlerReturned(first.timing.run, HandlerReport(changed: 0)) == nil)
        #expect(core.timeRanOut(first.timing.run, at: at(99_999)) == nil)
        guard let answers = core.answers(of: first.timing.run) else { throw TestError() }
        #expect(answers.calls.count == 2 && answers.result == .newData)
        #expect(core.answers(of: first.timing.run) == nil)
    }

    @Test(arguments: [
        (HandlerReport(changed: 1), PushResult.newData), (HandlerReport(changed: 0), .noData),
        (HandlerReport(changed: 1, unfinished: [.test(1)], isFailed: true), .newData),
        (HandlerReport(changed: 0, unfinished: [.test(1)]), .failed),
        (HandlerReport(changed: 0, isFailed: true), .failed),
    ])
    func `the result follows the table`(report: HandlerReport, result: PushResult) {
        #expect(report.result == result)
    }

    @Test func `what was done before the time ran out counts, the rest is kept`() throws {
        var core = core()
        let run = try start(&core, .interactions(1, 2, 3)).timing.run
        core.done(run, [.test(2)], changed: 1)
        #expect(core.timeRanOut(run, at: at(24_000))?.keep?.records == [.test(1), .test(3)])
        #expect(core.answers(of: run)?.result == .newData)
    }

    @Test func `a push without time to start is kept`() throws {
        var core = core()
        guard case .settle(let settlement, .tooLate) = receive(&core, deadline: 1_500, at: 500) else {
            throw TestError()
        }
        #expect(settlement.keep?.records == [.test(1)])
        #expect(core.answers(of: settlement.timing.run)?.result == .failed)
    }

    @Test func `handlers that never return are counted until they do`() throws {
        var core = core { $0.maximumHandlers = 2 }
        let hung = try start(&core, .account(1)).timing.run
        _ = try start(&core, .account(2))
        _ = core.timeRanOut(hung, at: at(24_000))
        _ = core.answers(of: hung)
        guard case .settle(_, .tooMany) = receive(&core, .account(3), at: 24_000) else { throw TestError() }
        #expect(core.handlerReturned(hung, HandlerReport(changed: 1)) == nil)
        _ = try start(&core, .account(4), at: 24_000)
    }

    @Test func `waiting calls are bounded`() throws {
        var core = core { $0.maximumWaiting = 2 }
        let first = try start(&core)
        _ = receive(&core, at: 1)
        guard case .settle(let settlement, .tooMany) = receive(&core, at: 2) else { throw TestError() }
        #expect(settlement.keep != nil)
        _ = core.answers(of: settlement.timing.run)
        _ = try finish(&core, first)
        _ = core.answers(of: first.timing.run)
        _ = try start(&core, .account(2), at: 3)
    }

    @Test func `a run that waits for another can run out of time too`() throws {
        var core = core { $0.maximumHandlers = 2 }
        let first = try start(&core)
        core.willSendRequest(first.timing.run)
        guard case .fetchAgain(let again) = receive(&core, deadline: 5_000, at: 0) else { throw TestError() }
        #expect(core.timeRanOut(again.run, at: at(4_000))?.keep?.records == [.test(1)])
        #expect(core.answers(of: again.run)?.result == .failed)
        #expect(try finish(&core, first).next == nil)
        _ = try start(&core, .account(2))
        _ = try start(&core, .account(3))
    }

    @Test func `remembered pushes are bounded`() throws {
        var core = core { $0.maximumRecentPushes = 1 }
        for number in [1, 2] {
            let run = try start(&core, .account(number))
            _ = try finish(&core, run)
            _ = core.answers(of: run.timing.run)
        }
        #expect(receive(&core, .account(2), .tap, at: 1) == .dropDuplicate)
        guard case .start = receive(&core, .account(1), .tap, at: 1) else { throw TestError() }
    }
}

extension DispatchCoreTests {
    private func receive(_ core: inout DispatchCore, entryPoint: EntryPoint, at now: Int64) -> DispatchCore.OnReceive {
        receive(&core, .account(), entryPoint, at: now)
    }
}
