import Foundation
import PushDispatch

/// The value of an operation, or nil at a moment. The operation goes on after it.
func firstValue<Value: Sendable>(
    by moment: DispatchMoment, _ clock: any DispatchClock, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let first = First<Value?>()
    let work = Task { first.finish(await operation()) }
    let timer = clock.schedule(at: moment) { first.finish(nil) }
    let value = await withTaskCancellationHandler {
        await withCheckedContinuation { first.wait($0) }
    } onCancel: {
        work.cancel()
        first.finish(nil)
    }
    timer.cancel()
    return value
}

/// Passes the first value to the task that waits for it, whichever comes first.
///
/// Unchecked, because the lock protects `state`.
private final class First<Value: Sendable>: @unchecked Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, Never>)
        case early(Value)
        case over
    }

    private let lock = NSLock()
    private var state = State.idle

    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let early = lock.withLock { () -> Value? in
            if case .early(let value) = state {
                state = .over
                return value
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }

    /// - Returns: Whether it was the first.
    @discardableResult
    func finish(_ value: Value) -> Bool {
        let (isFirst, waiting) = lock.withLock { () -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .idle:
                state = .early(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .over
                return (true, continuation)
            case .early, .over: return (false, nil)
            }
        }
        waiting?.resume(returning: value)
        return isFirst
    }
}
