import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 over the connections of the control port, which knows those that are accepted and not served yet.
///
/// The server drops these when it stops, and NIO ends the process where a connection is dropped that nobody has served or closed.
struct ControlChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    /// The connections that wait for being served.
    final class Queue: Sendable {
        private struct State {
            var waiting: [ObjectIdentifier: Value] = [:]
            var isClosed = false
        }

        private let state = Mutex(State())

        /// - Returns: Whether the server may still serve it.
        func add(_ connection: Value) -> Bool {
            state.withLock { state in
                guard !state.isClosed else { return false }
                state.waiting[ObjectIdentifier(connection.channel)] = connection
                return true
            }
        }

        func remove(_ connection: Value) {
            state.withLock { $0.waiting[ObjectIdentifier(connection.channel)] = nil }
        }

        /// Closes what waits, and what comes later.
        func close() async {
            let left = state.withLock { state in
                state.isClosed = true
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for connection in left { await ControlChannel.close(connection) }
        }
    }

    let http: HTTP1Channel
    let queue: Queue

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let made = http.setup(channel: channel, logger: logger)
        made.whenSuccess { [queue] connection in
            if !queue.add(connection) { Task { await ControlChannel.close(connection) } }
        }
        return made
    }

    func handle(value: Value, logger: Logger) async {
        queue.remove(value)
        await http.handle(value: value, logger: logger)
    }

    private static func close(_ connection: Value) async {
        try? await connection.executeThenClose { _, _ in }
    }
}
