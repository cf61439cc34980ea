import Dispatch

/// Runs code on the main queue, and returns when the main actor has nothing left to do.
///
/// While one turn follows the other, nothing of an app that lives on the main actor runs beside the code of its loop.
package enum MainTurn {
    /// How often the end of the queue is passed. A job of the main actor can add another one behind it, and nothing tells; a
    /// chain of such jobs in which no other executor takes part is much shorter than this.
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
