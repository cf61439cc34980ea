import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 over the connections of the control port, which counts those that are accepted and not served yet.
///
/// The server keeps these in a queue. Cancelling it drops the queue, and NIO stops the process where a connection is dropped
/// that nobody has served or closed.
struct ControlChannel: ServerChildChannel {
    /// How many connections wait for being served.
    final class Queue: Sendable {
        private let count = Mutex(0)

        var isEmpty: Bool { count.withLock { $0 == 0 } }

        func add() { count.withLock { $0 += 1 } }
        func remove() { count.withLock { $0 -= 1 } }
    }

    let http: HTTP1Channel
    let queue: Queue

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let made = http.setup(channel: channel, logger: logger)
        made.whenSuccess { [queue] _ in queue.add() }
        return made
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        queue.remove()
        await http.handle(value: value, logger: logger)
    }
}
