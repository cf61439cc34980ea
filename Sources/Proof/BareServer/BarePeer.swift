import APNSTransport
import HTTP2Session

/// One sender's connection: answers 200 with the `apns-id` of the request at the end of every request.
final class BarePeer: ConnectionDelegate {
    /// HTTP/2 counts the bytes of bodies and discards them.
    static let limits: HTTP2Limits = {
        var limits = HTTP2Limits.server
        limits.storedBodyBytes = 0
        return limits
    }()

    /// The id in the answer to a request without an id or with one of another length.
    private static let ownID = Array("8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162".utf8)
    private static let idName = Array("apns-id".utf8)

    private let streams: UInt32
    /// 36 bytes for each slot: the `apns-id` of the stream there.
    private var ids: [UInt8] = []

    init(streams: UInt32) { self.streams = streams }

    func connectionOpened(_ connection: Connection<BarePeer>) {
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.start([.maxConcurrentStreams(streams)], connectionWindow: 8 << 20)
        }
    }

    func connection(_ connection: Connection<BarePeer>, received batch: borrowing HTTP2EventBatch) {
        for event in batch.events {
            switch event {
            case .head(let stream, let fields): keepID(of: stream, fields, batch)
            case .end(let stream, _):
                attempt(connection) { () throws(HTTP2Error) in
                    try connection.http2.respond(to: stream, body: []) { fields in
                        fields.add(":status", "200" as StaticString)
                        let start = Int(stream.slot) * BarePeer.ownID.count
                        ids.withUnsafeBytes { ids in
                            fields.add(
                                "apns-id", UnsafeRawBufferPointer(rebasing: ids[start..<start + BarePeer.ownID.count]),
                                isIndexed: false)
                        }
                    }
                }
            default: break
            }
        }
    }

    /// The answer repeats the id, because senders match answers by it.
    private func keepID(of stream: HTTP2Stream, _ fields: Range<Int>, _ batch: borrowing HTTP2EventBatch) {
        let start = Int(stream.slot) * BarePeer.ownID.count
        while ids.count <= start { ids += BarePeer.ownID }
        batch.forEachField(fields) { name, value in
            guard value.count == BarePeer.ownID.count, name.elementsEqual(BarePeer.idName) else { return }
            ids.withUnsafeMutableBytes { ids in
                UnsafeMutableRawBufferPointer(rebasing: ids[start..<start + value.count]).copyMemory(from: value)
            }
        }
    }

    func connectionClosed(_ connection: Connection<BarePeer>, error: TransportError?) {}

    private func attempt(_ connection: Connection<BarePeer>, _ step: () throws(HTTP2Error) -> Void) {
        do throws(HTTP2Error) {
            try step()
        } catch {
            connection.fail(TransportError(.protocolViolation, error.description))
        }
    }
}
