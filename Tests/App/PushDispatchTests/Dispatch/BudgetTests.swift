import Foundation
import PushDispatch
import Testing

/// The time of a push counts from the call of the system.
struct BudgetTests {
    /// Holds the tasks of a dispatcher until the test runs them.
    ///
    /// Unchecked, because the lock protects `held`.
    private final class HeldTasks: @unchecked Sendable {
        private let lock = NSLock()
        private var held: [TaskStarter.Operation] = []

        var starter: TaskStarter {
            TaskStarter { operation in
                self.lock.withLock { self.held.append(operation) }
                return Task {}
            }
        }

        func takeFirst() -> TaskStarter.Operation { lock.withLock { held.removeFirst() } }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a push whose task starts late has less time, and none is left at the end`() async {
        let clock = ManualClock()
        let tasks = HeldTasks()
        let log = EventLog()
        let dispatcher = PushDispatcher(
            routes: PushRoutes(.standard, handler: ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }),
            policy: DispatchPolicy(), pending: MemoryPendingStore(), clock: clock, tasks: tasks.starter,
            onEvent: { log.add($0) })
        let push = Push(
            json: Data(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#.utf8))
        clock.advance(to: 1_000)
        let (results, result) = AsyncStream.makeStream(of: PushResult.self)
        dispatcher.handle(push, from: .background) { result.yield($0) }
        // The system was busy: 25 seconds after the call, of which the last one is for reporting.
        clock.advance(to: 25_000)
        let handle = tasks.takeFirst()
        let handling = Task { await handle() }
        await log.wait(for: .handlerStopped(.tooLate))
        // Keeps the hint.
        await tasks.takeFirst()()
        await handling.value
        // The handler would have answered with new data.
        #expect(await results.first { _ in true } == .failed)
    }
}
