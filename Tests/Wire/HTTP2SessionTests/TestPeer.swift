import APNSModel
import HTTP2Session

/// One end of a connection in memory, with its events as lines that a test can compare.
final class TestPeer {
    var session: HTTP2Session
    var lines: [String] = []
    var streams: [HTTP2Stream] = []
    /// The streams that this end has reset.
    var resetsHere: [HTTP2EventBatch.ResetHere] = []
    private var bodies: [Int32: String] = [:]
    /// Bytes that the session sent and that are not delivered yet.
    var outbox: [UInt8] = []
    /// Everything the session ever sent.
    var sent: [UInt8] = []
    var now = MonotonicTime.zero
    /// A server calls it for each complete request.
    var onRequest: ((TestPeer, HTTP2Stream) -> Void)?

    var isFinished: Bool { session.isFinished }
    var openStreams: Int { session.openStreams }
    /// The received part of a body that has not ended.
    func receivedBody(on id: Int32) -> String? { bodies[id] }
    func wasSent(_ stream: HTTP2Stream) -> Bool { session.wasSent(stream) }

    init(
        _ role: HTTP2Session.Role, settings: [HTTP2Setting] = [], limits: HTTP2Limits? = nil,
        connectionWindow: Int32 = 65535
    ) throws {
        session = try HTTP2Session(role, limits: limits ?? (role == .server ? .server : .client))
        try session.start(settings, connectionWindow: connectionWindow)
    }

    /// A server that answers every request with its method and the length of its body.
    static func answering(settings: [HTTP2Setting] = [], limits: HTTP2Limits = .server) throws -> TestPeer {
        let peer = try TestPeer(.server, settings: settings, limits: limits)
        peer.onRequest = { peer, stream in
            try? peer.session.respond(to: stream, body: Array(#"{"reason":"Test"}"#.utf8)) { fields in
                fields.add(":status", "400")
                fields.add("apns-id", "id-\(stream.id)", isIndexed: false)
            }
        }
        return peer
    }

    func receive(_ bytes: [UInt8]) throws {
        var bytes = bytes
        try bytes.withUnsafeMutableBytes { try session.receive($0, at: now) }
        handleEvents()
    }

    func handleEvents() {
        let batch = session.takeEvents()
        for event in batch.events { handle(event, in: batch) }
        resetsHere += batch.resetsHere
        session.recycle(batch)
    }

    private func handle(_ event: HTTP2Event, in batch: borrowing HTTP2EventBatch) {
        switch event {
        case .head(let stream, let fields):
            var text = "head \(stream.id)"
            batch.forEachField(fields) { name, value in
                text += " \(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
            }
            lines.append(text)
            streams.append(stream)
        case .body(let stream, let bytes):
            // A body comes in arbitrary parts; a test compares the whole.
            bodies[stream.id, default: ""] += String(decoding: batch.bytes(bytes), as: UTF8.self)
        case .end(let stream, let bodyBytes):
            if let body = bodies.removeValue(forKey: stream.id) { lines.append("body \(stream.id) \(body)") }
            lines.append("end \(stream.id) \(bodyBytes)")
            onRequest?(self, stream)
        case .bodyTooLong(let stream): lines.append("too long \(stream.id)")
        case .closed(let stream, let code): lines.append("closed \(stream.id) \(code)")
        case .settings: lines.append("settings")
        case .settingsAcknowledged: lines.append("settings acknowledged")
        case .goAway(let last, let code, let debugData):
            lines.append("goaway \(last) \(code) \(String(decoding: batch.bytes(debugData), as: UTF8.self))")
        case .pingAcknowledged(let payload): lines.append("ping acknowledged \(payload)")
        }
    }

    /// Moves the session's output into the outbox, in pieces of `piece` bytes.
    func collect(piece: Int = 4096) throws {
        var buffer = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try session.send(into: $0) }
            guard count > 0 else { break }
            outbox.append(contentsOf: buffer[..<count])
            sent.append(contentsOf: buffer[..<count])
        }
        handleEvents()
    }

    @discardableResult
    func request(_ path: String = "/3/device/ab12", body: String = "{}") throws -> HTTP2Stream {
        try session.request(body: Array(body.utf8)) { fields in
            fields.add(":method", "POST")
            fields.add(":scheme", "https")
            fields.add(":authority", "localhost")
            fields.add(":path", path, isIndexed: false)
            fields.add("apns-topic", "com.example.app")
        }
    }
}

/// Delivers bytes in both directions until neither end has any.
func exchange(_ first: TestPeer, _ second: TestPeer, piece: Int = 4096) throws {
    while true {
        try first.collect(piece: piece)
        try second.collect(piece: piece)
        guard !first.outbox.isEmpty || !second.outbox.isEmpty else { return }
        let toSecond = first.outbox
        let toFirst = second.outbox
        first.outbox = []
        second.outbox = []
        try second.receive(toSecond)
        try first.receive(toFirst)
    }
}

/// A frame as bytes, for frames that a correct peer would not send.
func frame(type: UInt8, flags: UInt8 = 0, stream: Int32 = 0, payload: [UInt8] = []) -> [UInt8] {
    let length = payload.count
    return [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        + withUnsafeBytes(of: stream.bigEndian) { Array($0) } + payload
}

let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4)

/// The HPACK form of a request head whose fields are all in the static table or short literals.
let requestHead: [UInt8] = [0x83, 0x87, 0x84, 0x41, 0x01, UInt8(ascii: "h")]
