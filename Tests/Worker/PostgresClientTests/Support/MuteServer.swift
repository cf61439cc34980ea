import Foundation
import TestSupport

/// A server that lets one client log in and answers nothing after that, until the client closes the connection.
final class MuteServer: Sendable {
    private let listener: LoopbackListener
    var port: UInt16 { listener.port }

    init() throws {
        listener = try LoopbackListener()
        Thread.detachNewThread { [listener] in MuteServer.serve(listener) }
    }

    func end() { listener.stop() }

    private static func serve(_ listener: LoopbackListener) {
        guard let connection = listener.next() else { return }
        var buffer = [UInt8](repeating: 0, count: 8192)
        // The start of the protocol: AuthenticationOk and ReadyForQuery.
        let welcome: [UInt8] = [
            UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 0, UInt8(ascii: "Z"), 0, 0, 0, 5, UInt8(ascii: "I"),
        ]
        if recv(connection, &buffer, buffer.count, 0) > 0 {
            _ = send(connection, welcome, welcome.count, LoopbackListener.sendFlags)
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
        close(connection)
    }
}
