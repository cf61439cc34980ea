import Foundation

/// Whether the indexes of a store are ready.
///
/// `@unchecked Sendable` because the lock protects the state.
final class IndexPreparation: @unchecked Sendable {
    enum State {
        case running
        case done((any Error)?)
    }

    private let lock = NSLock()
    private var stored: State = .running

    var state: State { lock.withLock { stored } }

    func end(_ error: (any Error)? = nil) { lock.withLock { stored = .done(error) } }
}
