import Dispatch
import Synchronization

/// Writes the lines of a log one after the other on a thread of its own, so that a reader that stands still stops nothing else.
/// Lines beyond a limit are lost, and counted.
///
/// @unchecked: `queue` may be used by several threads; all that changes is in `state`.
final class LogLines: @unchecked Sendable {
    private struct State {
        var waiting = 0
        var lost = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "apns.log")
    private let limit: Int
    private let write: @Sendable (String) -> Void
    private let lossLine: @Sendable (Int) -> String

    /// - Parameters:
    ///   - limit: How many lines wait at most, the one that is written included.
    ///   - lossLine: The line that says how many lines were lost.
    init(
        limit: Int = 10_000, write: @escaping @Sendable (String) -> Void,
        lossLine: @escaping @Sendable (Int) -> String
    ) {
        self.limit = limit
        self.write = write
        self.lossLine = lossLine
    }

    func append(_ line: String) {
        state.withLock { state in
            guard state.waiting < limit else {
                state.lost += 1
                return
            }
            state.waiting += 1
            let lost = state.lost
            state.lost = 0
            // In the lock, so that lines are written in the order in which they came.
            queue.async {
                if lost > 0 { self.write(self.lossLine(lost)) }
                self.write(line)
                self.state.withLock { $0.waiting -= 1 }
            }
        }
    }

    /// Waits until each line is written.
    ///
    /// - Returns: False where that took too long.
    func finish(milliseconds: Int) -> Bool {
        let lost = state.withLock { state -> Int in
            defer { state.lost = 0 }
            return state.lost
        }
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            if lost > 0 { self.write(self.lossLine(lost)) }
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}
