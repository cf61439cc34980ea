import Foundation
import PushDispatch

/// Collects the events of a dispatcher, and lets a test wait for them.
///
/// Unchecked, because the lock protects the rest.
final class EventLog: @unchecked Sendable {
    private typealias Condition = @Sendable ([DispatchEvent]) -> Bool

    private let lock = NSLock()
    private var gathered: [DispatchEvent] = []
    private var waiting: [(isMet: Condition, continuation: CheckedContinuation<Void, Never>)] = []

    var events: [DispatchEvent] { lock.withLock { gathered } }

    func add(_ event: DispatchEvent) {
        lock.withLock {
            gathered.append(event)
            for waiter in waiting where waiter.isMet(gathered) { waiter.continuation.resume() }
            waiting.removeAll { $0.isMet(gathered) }
        }
    }

    func wait(for event: DispatchEvent) async { await wait { $0.contains(event) } }

    func wait(until isMet: @escaping @Sendable ([DispatchEvent]) -> Bool) async {
        await withCheckedContinuation { continuation in
            lock.withLock {
                if isMet(gathered) {
                    continuation.resume()
                } else {
                    waiting.append((isMet, continuation))
                }
            }
        }
    }
}
