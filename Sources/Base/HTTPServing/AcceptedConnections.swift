package import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The connections that a server of HTTP/1.1 has accepted and not begun to serve.
///
/// The server drops these when it stops, and NIO ends the process where a connection is dropped that nobody has served or closed.
package final class AcceptedConnections: Sendable {
    package typealias Connection = HTTP1Channel.Value

    private struct State {
        var waiting: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The channel that a server makes of each connection, which is counted here. A client that closes its direction gets the
    /// whole of its answer.
    package func channel(_ http: HTTP1Channel) -> some ServerChildChannel {
        AcceptedChannel(http: http, accepted: self)
    }

    /// Closes what waits, and what comes later. Call it once the server has ended.
    package func close() async {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for connection in left { await AcceptedConnections.close(connection) }
    }

    fileprivate func add(_ connection: Connection) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.waiting[ObjectIdentifier(connection.channel)] = connection }
            return !state.isClosed
        }
        if !isOpen { Task { await AcceptedConnections.close(connection) } }
    }

    fileprivate func remove(_ connection: Connection) {
        state.withLock { $0.waiting[ObjectIdentifier(connection.channel)] = nil }
    }

    private static func close(_ connection: Connection) async {
        try? await connection.executeThenClose { _, _ in }
    }
}

private struct AcceptedChannel: ServerChildChannel {
    typealias Value = AcceptedConnections.Connection

    let http: HTTP1Channel
    let accepted: AcceptedConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(HalfClosure())
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let made = http.setup(channel: channel, logger: logger)
        made.whenSuccess { [accepted] connection in accepted.add(connection) }
        return made
    }

    func handle(value: Value, logger: Logger) async {
        accepted.remove(value)
        await http.handle(value: value, logger: logger)
    }
}
