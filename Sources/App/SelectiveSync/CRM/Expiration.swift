import Foundation

/// The end of the time for some work. It may come before the work is known.
///
/// Unchecked, because the lock protects `state`.
final class Expiration: @unchecked Sendable {
    private enum State {
        case open(action: (@Sendable () -> Void)?)
        case expired
    }

    private let lock = NSLock()
    private var state = State.open(action: nil)

    func expire() {
        let action = lock.withLock { () -> (@Sendable () -> Void)? in
            guard case .open(let action) = state else { return nil }
            state = .expired
            return action
        }
        action?()
    }

    /// Calls `action` at the end, at once if it is over already.
    func onExpiration(_ action: @escaping @Sendable () -> Void) {
        let isOver = lock.withLock {
            if case .expired = state { return true }
            state = .open(action: action)
            return false
        }
        if isOver { action() }
    }
}
