import Dispatch

/// Runs code on the main queue, and returns when the main actor has nothing left to do.
///
/// If turns run one after the other, no main-actor code of an app runs at the same time as the code of its loop.
package enum MainTurn {
    /// How many empty jobs are put at the end of the main queue, each after the one before has run. A job of the main actor
    /// can add another one behind it, which cannot be observed; a chain of such jobs without another executor is much shorter.
    package static let rounds = 32

    /// - Parameter body: Called once, before this returns. The main thread itself must not call this.
    package static func run(_ body: () -> Void) {
        let done = DispatchSemaphore(value: 0)
        withoutActuallyEscaping(body) { body in
            // Called while the caller waits.
            nonisolated(unsafe) let body = body
            DispatchQueue.main.async {
                body()
                pass(rounds) { done.signal() }
            }
            done.wait()
        }
    }

    private static func pass(_ rounds: Int, _ end: @escaping @Sendable () -> Void) {
        guard rounds > 0 else { return end() }
        DispatchQueue.main.async { pass(rounds - 1, end) }
    }
}
