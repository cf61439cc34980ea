import Foundation
import PushDispatch
import Testing

struct PushDispatcherTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let pending = MemoryPendingStore()

    private func dispatcher(
        _ handler: any HintHandler, policy: DispatchPolicy = DispatchPolicy(), pending: (any PendingStore)? = nil
    ) -> PushDispatcher {
        PushDispatcher(policy: policy, handler: handler, pending: pending ?? self.pending, clock: clock) { [log] in
            log.add($0)
        }
    }

    private func kept() async -> [RecordID] { await pending.pending(of: "Account", after: nil).map(\.record) }

    /// A handler that reports one change when `end` is given, and ignores its cancellation.
    private func changing(after end: Signal) -> ScriptedHandler {
        ScriptedHandler { _, _, _ in
            await end.wait()
            return HandlerReport(changed: 1)
        }
    }

    /// Moves to a second before the deadline, when the handler is stopped.
    private func timeRunsOut() async {
        await clock.sleeper(until: 24_000)
        clock.advance(to: 24_000)
    }

    @Test func `a handler's report becomes the result`() async {
        let handler = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        #expect(await dispatcher(handler).handle(.account(), from: .background) == .newData)
        #expect(handler.hints.map(\.records) == [[.test(1)]])
        #expect(await kept().isEmpty)
        #expect(log.events.last == .finished(.newData, milliseconds: 0))
    }

    @Test(arguments: [
        #"{"type":"TEST","aps":{"alert":"x"}}"#, #"{"type":"NEW"}"#, #"{"type":"ACCOUNT_UPDATE"}"#,
        #"{"type":"INTERACTION","recordIds":[]}"#, "{}", "",
    ])
    func `a push with nothing to fetch is noData and reaches no handler`(json: String) async {
        let handler = ScriptedHandler { _, _, _ in throw TestError() }
        for entryPoint in EntryPoint.allCases {
            #expect(await dispatcher(handler).handle(Push(json: Data(json.utf8)), from: entryPoint) == .noData)
        }
        #expect(handler.hints.isEmpty)
    }

    @Test func `a handler that throws fails, and its records are kept before the completion is called`() async {
        let handler = ScriptedHandler { _, _, _ in throw TestError() }
        #expect(await dispatcher(handler).handle(.account(), from: .background) == .failed)
        #expect(await kept() == [.test(1)])
        #expect(
            log.events.suffix(3) == [
                .handlerFailed(errorType: "TestError"), .kept(object: "Account", records: [.test(1)]),
                .finished(.failed, milliseconds: 0),
            ])
    }

    @Test func `a handler that hangs is stopped in time, and its later report is not used`() async {
        let end = Signal()
        let dispatcher = dispatcher(changing(after: end))
        async let result = dispatcher.handle(.account(), from: .background)
        await timeRunsOut()
        await log.wait(for: .kept(object: "Account", records: [.test(1)]))
        await clock.sleeper(until: 25_000)
        clock.advance(to: 25_000)
        #expect(await result == .failed)
        #expect(await kept() == [.test(1)])
        #expect(log.events.contains(.finished(.failed, milliseconds: 25_000)))
        #expect(!log.events.contains(.storeLate))
        await end.give()
        await log.wait(for: .handlerLate)
        #expect(await kept() == [.test(1)])
    }

    @Test func `a record that a stopped handler stores before the deadline is newData`() async {
        let end = Signal()
        let dispatcher = dispatcher(changing(after: end))
        async let result = dispatcher.handle(.account(), from: .background)
        await timeRunsOut()
        await log.wait(for: .kept(object: "Account", records: [.test(1)]))
        await end.give()
        #expect(await result == .newData)
        #expect(log.events.last == .finished(.newData, milliseconds: 24_000))
    }

    @Test func `if a handler returns while its hint is being kept, the push is answered when it is kept`() async {
        let end = Signal()
        let keeping = Signal()
        let dispatcher = dispatcher(changing(after: end), pending: HangingPendingStore(end: keeping))
        async let result = dispatcher.handle(.account(), from: .background)
        await timeRunsOut()
        await log.wait(for: .handlerStopped(.timeRanOut))
        await end.give()
        await log.wait(for: .handlerLate)
        #expect(!log.events.contains(.finished(.newData, milliseconds: 24_000)))
        await keeping.give()
        #expect(await result == .newData)
    }

    @Test func `a pending store that hangs does not delay the completion beyond the deadline`() async {
        let end = Signal()
        let store = HangingPendingStore(end: end)
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: store)
        async let result = dispatcher.handle(.account(), from: .background)
        await timeRunsOut()
        await clock.sleeper(until: 25_000)
        clock.advance(to: 25_000)
        #expect(await result == .failed)
        await log.wait(for: .storeLate)
        await end.give()
        await log.wait(for: .kept(object: "Account", records: [.test(1)]))
    }

    @Test func `a pending store that throws is reported`() async {
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in throw TestError() }, pending: FailingPendingStore())
        #expect(await dispatcher.handle(.account(), from: .background) == .failed)
        #expect(log.events.contains(.notKept(object: "Account", records: [.test(1)], errorType: "TestError")))
    }

    @Test func `a record stored before the time ran out is newData`() async {
        let spoke = Signal()
        let end = Signal()
        let handler = ScriptedHandler { _, _, context in
            await context.done([.test(1)], changed: 1)
            await spoke.give()
            await end.wait()
            return HandlerReport(changed: 0)
        }
        let dispatcher = dispatcher(handler)
        async let result = dispatcher.handle(
            .interactions(1, 2), from: .background, deadline: DispatchMoment(milliseconds: 3_000))
        await clock.sleeper(until: 2_000)
        await spoke.wait()
        clock.advance(to: 3_000)
        #expect(await result == .newData)
        await log.wait(for: .kept(object: "Interaction", records: [.test(2)]))
        #expect(await pending.pending(of: "Interaction", after: nil).map(\.record) == [.test(2)])
        await end.give()
    }

    @Test func `a change that was reported as done is newData, whatever the final report says`() async {
        let handler = ScriptedHandler { _, _, context in
            await context.done([.test(1)], changed: 1)
            return HandlerReport(changed: 0)
        }
        let dispatcher = dispatcher(handler)
        #expect(await dispatcher.handle(.account(), from: .background) == .newData)
    }

    @Test func `a process that was suspended past the deadline still keeps what is unfinished`() async {
        let end = Signal()
        let handler = ScriptedHandler { _, _, _ in
            await end.wait()
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler)
        async let result = dispatcher.handle(.account(), from: .background)
        await clock.sleeper(until: 24_000)
        clock.advance(to: 3_600_000)
        #expect(await result == .failed)
        let count = await pending.list.count
        #expect(count == 1 || log.events.contains(.storeLate))
        await end.give()
    }

    @Test func `a push by two entry points runs the handler once and answers both`() async {
        let end = Signal()
        let handler = changing(after: end)
        let dispatcher = dispatcher(handler)
        async let first = dispatcher.handle(.account(), from: .background)
        await log.wait(for: .started(object: "Account", records: [.test(1)]))
        async let second = dispatcher.handle(.account(), from: .foreground)
        await log.wait(for: .duplicateJoined(.foreground))
        await end.give()
        #expect(await [first, second] == [.newData, .newData])
        #expect(handler.hints.count == 1)
        #expect(await dispatcher.handle(.account(), from: .tap) == .noData)
        #expect(handler.hints.count == 1)
    }

    @Test func `the same payload after the request is fetched once more, after the first`() async {
        let requested = Signal()
        let end = Signal()
        let handler = ScriptedHandler { run, _, context in
            guard run == 1 else { return HandlerReport(changed: 0) }
            await context.willSendRequest()
            await requested.give()
            await end.wait()
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler)
        async let first = dispatcher.handle(.account(), from: .background)
        await requested.wait()
        async let second = dispatcher.handle(.account(), from: .background)
        await log.wait(for: .fetchAgain(.background))
        #expect(handler.hints.count == 1)
        await end.give()
        #expect(await [first, second] == [.newData, .noData])
        #expect(handler.hints.count == 2)
    }

    @Test func `a handler that does not announce requests runs once more for the same payload`() async {
        let end = Signal()
        let handler = ScriptedHandler(announcesRequests: false) { run, _, _ in
            if run == 1 { await end.wait() }
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler)
        async let first = dispatcher.handle(.account(), from: .background)
        await log.wait(for: .started(object: "Account", records: [.test(1)]))
        async let duplicate = dispatcher.handle(.account(), from: .foreground)
        await log.wait(for: .duplicateJoined(.foreground))
        async let second = dispatcher.handle(.account(), from: .background)
        await log.wait(for: .fetchAgain(.background))
        await end.give()
        #expect(await [first, duplicate, second] == [.newData, .newData, .newData])
        #expect(handler.hints.count == 2)
    }

    @Test func `cancelling the caller stops the handler and keeps its records`() async {
        let end = Signal()
        let handler = ScriptedHandler { _, _, _ in
            await end.wait()
            return HandlerReport(changed: 0)
        }
        let dispatcher = dispatcher(handler)
        let caller = Task { await dispatcher.handle(.account(), from: .background) }
        await log.wait(for: .started(object: "Account", records: [.test(1)]))
        caller.cancel()
        #expect(await caller.value == .failed)
        #expect(await kept() == [.test(1)])
        #expect(log.events.contains(.handlerStopped(.cancelled)))
        await end.give()
    }

    @Test func `the task of a stopped handler is cancelled`() async {
        let handler = CallbackHandler { _, _, _ in }
        let dispatcher = dispatcher(handler)
        async let result = dispatcher.handle(.account(), from: .background)
        await timeRunsOut()
        #expect(await result == .failed)
        await log.wait(for: .handlerLate)
    }

    @Test func `only the first callback of a handler counts`() async {
        let handler = CallbackHandler { _, _, completion in
            completion(.success(HandlerReport(changed: 1)))
            completion(.failure(TestError()))
        }
        #expect(await dispatcher(handler).handle(.account(), from: .background) == .newData)
        #expect(await kept().isEmpty)
    }

    @Test func `the completion is called once for each push`() async {
        let handler = ScriptedHandler { _, hint, _ in
            if hint.records == [.test(3)] { throw TestError() }
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler)
        let (results, continuation) = AsyncStream.makeStream(of: PushResult.self)
        for number in 1...10 {
            dispatcher.handle(.account(number), from: .background) { continuation.yield($0) }
        }
        var counts: [PushResult: Int] = [:]
        for await result in results.prefix(10) { counts[result, default: 0] += 1 }
        #expect(counts == [.newData: 9, .failed: 1])
        #expect(log.events.count { if case .finished = $0 { true } else { false } } == 10)
    }

    @Test func `all pushes share one timer, which does nothing when they are over`() async {
        let dispatcher = dispatcher(ScriptedHandler { _, _, _ in HandlerReport(changed: 1) })
        for number in 1...20 {
            clock.advance(to: Int64(number))
            _ = await dispatcher.handle(.account(number), from: .background)
            #expect(clock.sleeperCount <= 1)
        }
        let events = log.events
        clock.advance(to: 60_000)
        await clock.noSleepers()
        #expect(log.events == events)
    }

    @Test func `a timer that fires for a push that is over is set again for the others`() async {
        let end = Signal()
        let handler = ScriptedHandler { _, hint, _ in
            if hint.records == [.test(2)] { await end.wait() }
            return HandlerReport(changed: 1)
        }
        let dispatcher = dispatcher(handler)
        #expect(await dispatcher.handle(.account(1), from: .background) == .newData)
        await clock.sleeper(until: 24_000)
        clock.advance(to: 5_000)
        async let late = dispatcher.handle(.account(2), from: .background)
        await log.wait(for: .started(object: "Account", records: [.test(2)]))
        async let early = dispatcher.handle(
            .interactions(7), from: .background, deadline: DispatchMoment(milliseconds: 9_000))
        #expect(await early == .newData)
        await clock.sleeper(until: 8_000)
        clock.advance(to: 8_000)
        await clock.sleeper(until: 29_000)
        clock.advance(to: 30_000)
        #expect(await late == .failed)
        await end.give()
        await log.wait(for: .handlerLate)
    }

    @Test func `a timer does not keep its dispatcher alive`() async {
        weak var gone: PushDispatcher?
        do {
            let dispatcher = dispatcher(ScriptedHandler { _, _, _ in HandlerReport(changed: 1) })
            _ = await dispatcher.handle(.account(1), from: .background)
            await clock.sleeper(until: 24_000)
            gone = dispatcher
        }
        while gone != nil { await Task.yield() }
        #expect(clock.sleeperCount == 1)
    }
}

private struct HangingPendingStore: PendingStore {
    let end: Signal

    func keep(_ hint: Hint) async -> PendingMark? {
        await end.wait()
        return nil
    }
    func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] { [] }
    func forget(_ records: [PendingRecord], of object: String) {}
    func forgetAll() {}
}

private struct FailingPendingStore: PendingStore {
    func keep(_ hint: Hint) async throws -> PendingMark? { throw TestError() }
    func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] { [] }
    func forget(_ records: [PendingRecord], of object: String) {}
    func forgetAll() {}
}
