package import PushDispatch

/// A process of the played app: its clock and its connections, which end with it.
///
/// A task cannot be killed. After the end its requests fail, its sleeps end, and its stores have to refuse, so that whatever
/// still runs has no effect.
///
/// `@unchecked Sendable`: only the thread of the loop uses what changes.
package final class PlayProcess: DispatchClock, @unchecked Sendable {
    package struct Ended: Error {}

    private let loop: PlayLoop
    package private(set) var isRunning = true
    private var sleepers: Set<Int> = []
    private var requests: [Int: Task<Void, Never>] = [:]
    private var lastRequest = 0

    package init(_ loop: PlayLoop) { self.loop = loop }

    package var tasks: TaskStarter { loop.tasks }

    package func check() throws(Ended) {
        if !isRunning { throw Ended() }
    }

    // MARK: Time

    package func now() -> DispatchMoment { DispatchMoment(milliseconds: loop.now) }

    package func sleep(until moment: DispatchMoment) async throws {
        try Task.checkCancellation()
        try check()
        let number = Number()
        await withTaskCancellationHandler {
            await loop.sleep(until: moment.milliseconds) { sleeper in
                number.value = sleeper
                sleepers.insert(sleeper)
            }
        } onCancel: {
            if let sleeper = number.value { loop.wake(sleeper) }
        }
        if let sleeper = number.value { sleepers.remove(sleeper) }
        try Task.checkCancellation()
        try check()
    }

    /// Only the thread of the loop uses it: it cancels the tasks.
    private final class Number: @unchecked Sendable { var value: Int? }

    package func schedule(
        at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool
    ) -> Task<Void, Never> {
        tasks { [self] in
            guard (try? await sleep(until: moment)) != nil else { return }
            _ = await action()
        }
    }

    // MARK: Requests

    /// Makes a request, during which virtual time runs with real time.
    ///
    /// - Returns: Nil if the process has ended meanwhile.
    package func request<Answer: Sendable>(_ send: @escaping @Sendable () async -> Answer) async -> Answer? {
        guard isRunning else { return nil }
        lastRequest += 1
        let number = lastRequest
        let answer = Box<Answer>()
        loop.requestBegan()
        let task = tasks { answer.value = await send() }
        requests[number] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        requests[number] = nil
        loop.requestEnded()
        return isRunning ? answer.value : nil
    }

    /// Only the thread of the loop uses it.
    private final class Box<Value>: @unchecked Sendable { var value: Value? }

    /// Ends the process at once.
    package func end() {
        isRunning = false
        for request in requests.values { request.cancel() }
        for sleeper in sleepers.sorted() { loop.wake(sleeper) }
        sleepers = []
    }
}
