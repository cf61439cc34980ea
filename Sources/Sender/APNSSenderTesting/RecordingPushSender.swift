public import APNSModel
import APNSPayload
public import APNSProvider
import Synchronization

/// A sender for tests: it sends nothing, records each notification and answers as the test says.
///
/// It checks notifications as a `PushProvider` does, so that a test finds what would never be sent. A whole gateway, with
/// devices and the answers of APNs, is in the module `GatewayTesting`.
public final class RecordingPushSender: PushSending {
    /// The answer to a notification, or the error of a send without an answer.
    public typealias Answer = @Sendable (APNSNotification) async throws(APNSSendError) -> Reply

    private struct State {
        var answer: Answer
        var notifications: [APNSNotification] = []
        var waiting: [UInt64: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastWaiting: UInt64 = 0
    }

    private let state: Mutex<State>
    private let validates: Bool

    /// - Parameters:
    ///   - validates: Whether a notification with an error is unsent, as by a provider.
    ///   - answer: Nil accepts each notification.
    public init(validates: Bool = true, answer: Answer? = nil) {
        self.validates = validates
        state = Mutex(State(answer: answer ?? RecordingPushSender.accept))
    }

    /// Refuses each notification, with its own `apns-id`.
    ///
    /// - Parameter timestamp: For `.unregistered`, in milliseconds since 1970.
    public convenience init(refusing reason: Reason, timestamp: Int64? = nil) {
        self.init { notification in
            .refused(Refusal(reason, apnsID: notification.id ?? NotificationID(), timestamp: timestamp))
        }
    }

    /// Gives no notification an answer.
    public convenience init(failing error: APNSSendError) {
        self.init { (_: APNSNotification) async throws(APNSSendError) -> Reply in throw error }
    }

    private static let accept: Answer = { .accepted(apnsID: $0.id ?? NotificationID(), uniqueID: nil) }

    /// Answers like this from now on.
    public func setAnswer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    // MARK: What was sent

    /// The notifications that were given to it, in order, without those in which a check found an error.
    public var notifications: [APNSNotification] { state.withLock { $0.notifications } }

    /// Waits until so many notifications were given to it since the beginning or the last `forget()`.
    ///
    /// - Returns: All of them; fewer if the task is cancelled.
    public func notifications(atLeast count: Int) async -> [APNSNotification] {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.notifications.count >= count || Task.isCancelled { return true }
                    state.waiting[number] = (count, continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
        }
        return notifications
    }

    /// Forgets the notifications.
    public func forget() { state.withLock { $0.notifications = [] } }

    // MARK: Sending

    public func send(
        _ notification: APNSNotification, timeout: Duration?
    ) async throws(APNSSendError) -> Reply {
        if validates, let finding = RecordingPushSender.firstError(in: notification) {
            throw APNSSendError(finding)
        }
        let (answer, resumed) = state.withLock { state in
            state.notifications.append(notification)
            let count = state.notifications.count
            let ready = state.waiting.filter { $0.value.count <= count }
            for number in ready.keys { state.waiting[number] = nil }
            return (state.answer, ready.values.map(\.continuation))
        }
        for continuation in resumed { continuation.resume() }
        return try await answer(notification)
    }

    private static func firstError(in notification: APNSNotification) -> Finding? {
        var validator = Validator()
        return validator.firstError(for: notification)
    }

    /// The notifications are sent one after the other. Ending the iteration of the results stops it. There is no window: results
    /// that are not read are kept.
    public func send<Source: AsyncSequence & Sendable>(
        all source: Source, window: Int?, timeout: Duration?
    ) -> AsyncThrowingStream<APNSSendResult, any Error> where Source.Element == APNSNotification {
        let (results, continuation) = AsyncThrowingStream.makeStream(of: APNSSendResult.self)
        let task = Task {
            do {
                var index = 0
                for try await notification in source {
                    if Task.isCancelled { break }
                    let outcome = await outcome(of: notification, timeout)
                    continuation.yield(APNSSendResult(index: index, notification: notification, outcome: outcome))
                    index += 1
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return results
    }

    private func outcome(of notification: APNSNotification, _ timeout: Duration?) async -> APNSOutcome {
        do throws(APNSSendError) {
            return APNSOutcome(try await send(notification, timeout: timeout))
        } catch {
            return error.isSafeToRetry ? .unsent(error) : .unknown(error)
        }
    }
}
