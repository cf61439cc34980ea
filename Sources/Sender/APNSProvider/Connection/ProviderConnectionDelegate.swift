import APNSModel
import APNSTransport
import HTTP2Session
import NIOCore

/// Receives the events of one connection and passes them to the provider's loop.
final class ProviderConnectionDelegate: ConnectionDelegate {
    /// The connection's index in `ProviderCore`.
    let index: Int
    private(set) var connection: Connection<ProviderConnectionDelegate>?
    /// A reference cycle, which `connectionClosed` and `connectFailed` break: the loop drops this delegate then.
    private let loop: ProviderLoop
    private var isLost = false
    /// Whether the connection was open: TLS and HTTP/2 were agreed on.
    private(set) var wasOpen = false

    init(index: Int, loop: ProviderLoop) {
        self.index = index
        self.loop = loop
    }

    func connectionStarted(_ connection: Connection<ProviderConnectionDelegate>) {
        guard !isLost else { return connection.close() }
        self.connection = connection
    }

    func connectionOpened(_ connection: Connection<ProviderConnectionDelegate>) {
        do {
            try connection.http2.start([.enablePush(false)], connectionWindow: 1 << 20)
        } catch {
            return connection.fail(TransportError(.protocolViolation, error.description))
        }
        wasOpen = true
        loop.opened(self)
    }

    func connection(_ connection: Connection<ProviderConnectionDelegate>, received batch: borrowing HTTP2EventBatch) {
        loop.received(batch, self, connection)
    }

    func connectionClosed(_ connection: Connection<ProviderConnectionDelegate>, error: TransportError?) {
        guard !isLost else { return }
        isLost = true
        self.connection = connection
        loop.lost(self, error)
        self.connection = nil  // the connection holds this delegate, so keeping it would leak both
    }

    func connectFailed(_ error: TransportError) {
        guard !isLost else { return }
        isLost = true
        loop.lost(self, error)
    }

    /// Closes the connection in order. One that is not connected yet is given up.
    func close() {
        if let connection {
            if connection.isOpen { connection.http2.goAway(.noError) }
            connection.close()
        } else {
            connectFailed(TransportError(.closedHere, "the provider was closed"))
        }
    }

    func reset(slot: Int) {
        guard let connection, let stream = connection.http2.stream(inSlot: slot) else { return }
        connection.http2.reset(stream, .cancel)
        connection.flush()
    }
}
