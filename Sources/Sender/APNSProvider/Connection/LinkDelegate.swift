import APNSModel
import APNSTransport
import HTTP2Session
import NIOCore

/// One connection of a provider: passes on what happens there.
final class LinkDelegate: ConnectionDelegate {
    let link: Int
    private(set) var connection: Connection<LinkDelegate>?
    /// The cycle ends with the connection.
    private let loop: ProviderLoop
    private var isLost = false

    init(link: Int, loop: ProviderLoop) {
        self.link = link
        self.loop = loop
    }

    func connectionStarted(_ connection: Connection<LinkDelegate>) {
        guard !isLost else { return connection.close() }
        self.connection = connection
    }

    func connectionOpened(_ connection: Connection<LinkDelegate>) {
        do {
            try connection.http2.start([.enablePush(false)], connectionWindow: 1 << 20)
        } catch {
            return connection.fail(TransportError(.protocolViolation, error.description))
        }
        loop.opened(self)
    }

    func connection(_ connection: Connection<LinkDelegate>, received batch: borrowing HTTP2EventBatch) {
        loop.received(batch, self, connection)
    }

    func connectionClosed(_ connection: Connection<LinkDelegate>, error: TransportError?) {
        guard !isLost else { return }
        isLost = true
        self.connection = connection
        loop.lost(self, error)
        self.connection = nil  // breaks the cycle of handler and delegate
    }

    func connectFailed(_ error: TransportError) {
        guard !isLost else { return }
        isLost = true
        loop.lost(self, error)
    }

    /// Ends it in order, also while it is still being connected.
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
