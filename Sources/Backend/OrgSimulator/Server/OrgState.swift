import Foundation
import PushDispatch
import SelectiveSync
import Synchronization
import ServiceHost

/// The world behind a lock, and the callers that wait for its log.
final class OrgState: Sendable {
    private struct State {
        var world: OrgWorld
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWaiter = 0
    }

    private let state: Mutex<State>
    private let options: OrgServer.Options

    /// Above this number of waiting callers, a call is answered at once.
    private static let maximumWaiters = 200

    init(_ world: OrgWorld, _ options: OrgServer.Options) {
        state = Mutex(State(world: world))
        self.options = options
    }

    private static var real: ServerDate {
        ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    func read<Result>(_ body: (OrgWorld) throws -> Result) rethrows -> Result {
        let world = state.withLock { $0.world }
        return try body(world)
    }

    func setInstanceURL(_ url: String) { state.withLock { $0.world.setInstanceURL(url) } }

    func answer(_ request: ServiceRequest) -> OrgWorld.Outcome {
        let outcome = change { $0.answer(request, real: OrgState.real) }
        notifyHandlers(outcome.answer.pushes, outcome.notifications)
        return outcome
    }

    func update(_ changes: [Org.Change], by user: RecordID) throws(OrgError) {
        let result: Result<(pushes: [OutgoingPush], notifications: [OrgNotification]), OrgError> = change { world in
            do throws(OrgError) {
                return .success(try world.update(changes, by: user, real: OrgState.real))
            } catch {
                return .failure(error)
            }
        }
        let sent = try result.get()
        notifyHandlers(sent.pushes, sent.notifications)
    }

    func answered(_ notification: OrgNotification, _ answer: OrgAnswer) {
        change { world in world.answered(notification, answer, real: OrgState.real) }
    }

    private func notifyHandlers(_ pushes: [OutgoingPush], _ notifications: [OrgNotification]) {
        if !pushes.isEmpty { options.onPush(pushes) }
        if !notifications.isEmpty { options.onNotifications(notifications) }
    }

    /// Changes the world and resumes the callers that wait for its log.
    private func change<Value: Sendable>(_ body: (inout OrgWorld) -> Value) -> Value {
        let (value, waiters) = state.withLock { state in
            let before = state.world.org.log.lastNumber
            let value = body(&state.world)
            let isNew = state.world.org.log.lastNumber != before
            return (value, isNew ? Array(state.waiters.values) : [])
        }
        for waiter in waiters { waiter.yield() }
        return value
    }

    // MARK: The log

    /// Returns when there is an entry after the number, when the log began anew, or when the time is over.
    func waitForLog(after number: Int, milliseconds: Int64) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard state.world.org.log.lastNumber == number, state.waiters.count < OrgState.maximumWaiters else {
                return nil
            }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = continuation
            return state.lastWaiter
        }
        guard let id else { return }
        let watch = Task {
            try await Task.sleep(for: .milliseconds(milliseconds))
            continuation.finish()
        }
        for await _ in stream { break }
        watch.cancel()
        state.withLock { _ = $0.waiters.removeValue(forKey: id) }
    }

    func logPage(after number: Int) -> ServiceResponse {
        .json(state.withLock { $0.world.logPage(after: number, limit: 1_000) }.compactBytes)
    }
}
