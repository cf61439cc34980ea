import APNSModel
import APNSTransport
import HTTP2Session
import Logging
import NIOCore
import ProviderMetrics

/// The connections of an event loop, and what comes on them.
extension ProviderLoop {
    func connect(_ index: Int) {
        while connections.count <= index { connections.append(nil) }
        let delegate = ProviderConnectionDelegate(index: index, loop: self)
        connections[index] = delegate
        shared.configuration.exchangeObserver?(.connecting(connection: index, shared.configuration.gateway))
        shared.logger.debug("connecting", metadata: metadata(of: delegate))
        TransportClient.connect(
            to: shared.endpoint, limits: shared.configuration.http2Limits,
            timeout: TimeAmount(shared.configuration.connectTimeout),
            on: eventLoop,
            delegate: delegate
        ).assumeIsolated().whenFailure { error in
            delegate.connectFailed(error as? TransportError ?? TransportError(.connectFailed, "\(error)"))
        }
    }

    func opened(_ delegate: ProviderConnectionDelegate) {
        metrics?.tally.connectsOpened += 1
        shared.logger.info("connected", metadata: metadata(of: delegate))
        if let observer = shared.configuration.exchangeObserver, let connection = delegate.connection {
            observer(.opened(connection: delegate.index, ExchangeEvent.Facts(connection)))
        }
        core.opened(connection: delegate.index, at: .now)
        work()
    }

    func received(
        _ batch: borrowing HTTP2EventBatch, _ delegate: ProviderConnectionDelegate,
        _ connection: Connection<ProviderConnectionDelegate>
    ) {
        let index = delegate.index
        let now = connection.lastRead
        if let observer = shared.configuration.exchangeObserver {
            ExchangeEvent.report(batch, connection: index, to: observer)
        }
        let followUp = core.received(
            batch, on: index, streamLimit: connection.http2.peerMaxConcurrentStreams, at: now, resolved: &resolutions)
        for stream in followUp.tooLong { connection.http2.reset(stream, .cancel) }
        if let reason = followUp.goAway {
            shared.logger.info(
                "the gateway sent GOAWAY", metadata: metadata(of: delegate).merging(["reason": "\(reason)"]) { $1 })
        }
        fill(index, at: now)
        // Connections are opened and closed at the end of the turn, after all answers that came with this read.
        endOfTurn()
    }

    func endOfTurn() {
        resolve()
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.work()
        }
    }

    func lost(_ delegate: ProviderConnectionDelegate, _ error: TransportError?) {
        let index = delegate.index
        guard connections[index] === delegate else { return }
        let connection = delegate.connection
        connections[index] = nil
        let description = error?.detail ?? "the connection was closed"
        let isPermanent = error?.isPermanent ?? false
        shared.configuration.exchangeObserver?(.lost(connection: index, description))
        if !delegate.wasOpen { metrics?.tally.connectsFailed += 1 }
        shared.logger.log(
            level: error == nil ? .debug : isPermanent ? .warning : .info,
            delegate.wasOpen ? "connection lost" : "no connection",
            metadata: metadata(of: delegate).merging(["error": "\(description)"]) { $1 })
        core.lost(
            connection: index, description: description, isPermanent: isPermanent,
            isHandshakeRefused: error?.code == .handshakeFailed,
            refusesCertificate: error?.refusesCertificate ?? false, at: .now, resolved: &resolutions
        ) { slot in
            ProviderLoop.wasSent(slot, on: connection)
        }
        endOfTurn()
    }

    func wasSent(_ index: Int, _ slot: Int) -> Bool {
        ProviderLoop.wasSent(slot, on: connections[index]?.connection)
    }

    /// Whether the whole request in `slot` was written.
    private static func wasSent(_ slot: Int, on connection: Connection<ProviderConnectionDelegate>?) -> Bool {
        guard let connection, let stream = connection.http2.stream(inSlot: slot) else { return true }
        return connection.http2.wasSent(stream)
    }
}
