import APNSModel
import APNSTransport
import HTTP2Session
import NIOCore

/// One connection of a provider: passes on what happens there.
final class LinkDelegate: ConnectionDelegate {
    let link: Int
    private(set) var connection: Connection<LinkDelegate>?
    private unowned let loop: ProviderLoop
    private var isLost = false

    init(link: Int, loop: ProviderLoop) {
        self.link = link
        self.loop = loop
    }

    func connectionOpened(_ connection: Connection<LinkDelegate>) {
        self.connection = connection
        do {
            try connection.http2.start([.enablePush(false)], connectionWindow: 1 << 20)
        } catch {
            return connection.fail(TransportError(.protocolViolation, error.description))
        }
        loop.opened(self)
    }

    func connection(_ connection: Connection<LinkDelegate>, received batch: HTTP2EventBatch) {
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

    func reset(slot: Int) {
        guard let connection, let stream = connection.http2.stream(inSlot: slot) else { return }
        connection.http2.reset(stream, .cancel)
        connection.flush()
    }
}

/// The fields of a response that a provider reads.
struct ResponseHead {
    private(set) var status = 0
    private(set) var apnsID: String?
    private(set) var uniqueID: String?

    init(_ batch: HTTP2EventBatch, _ fields: Range<Int>) {
        batch.forEachField(fields) { name, value in
            switch name.count {
            case 7 where name.elementsEqual(":status".utf8):
                status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            case 7 where name.elementsEqual("apns-id".utf8): apnsID = String(decoding: value, as: UTF8.self)
            case 14 where name.elementsEqual("apns-unique-id".utf8): uniqueID = String(decoding: value, as: UTF8.self)
            default: break
            }
        }
    }
}

/// The JSON that APNs puts into the debug data of a GOAWAY: `{"reason":"Shutdown"}`.
struct GoAwayWords {
    let reason: String?

    init(_ debugData: UnsafeRawBufferPointer) { reason = Answer.reason(in: Array(debugData)) }
}
