import APNSModel
import CNghttp2

/// What the callbacks of one nghttp2 session write to. A callback copies what it was given and returns.
final class EventSink {
    let limits: HTTP2Limits
    let isServer: Bool
    var batch = HTTP2EventBatch()
    var streams = StreamTable()

    /// The head that is being received; it may come over several calls of `receive`.
    private var headStreamID: Int32?
    private var firstField = 0
    private var headerListBytes = 0
    private var headHasStatus = false
    private var isInterim = false

    /// Streams to be reset with NO_ERROR now that their response has gone out whole.
    var toReset: [Int32] = []
    /// nghttp2's words about the last rule that the peer broke.
    var complaint = ""

    init(limits: HTTP2Limits, isServer: Bool) {
        self.limits = limits
        self.isServer = isServer
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The sink behind a callback's context. Not retained: the session owns both it and the nghttp2 session that calls.
    static func with<Result>(_ context: UnsafeMutableRawPointer?, _ body: (EventSink) -> Result) -> Result {
        Unmanaged<EventSink>.fromOpaque(context!)._withUnsafeGuaranteedRef(body)
    }

    /// Goes on with `fresh`, and takes the fields of a head that is not complete along.
    func takeBatch(replacingWith fresh: HTTP2EventBatch) -> HTTP2EventBatch {
        let taken = batch
        batch = fresh
        if headStreamID != nil {
            taken.forEachField(firstField..<taken.fieldCount) { fresh.addField(name: $0, value: $1) }
            firstField = 0
        }
        return taken
    }

    // MARK: Heads

    func beginHead(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) -> CInt {
        firstField = batch.fieldCount
        headerListBytes = 0
        headHasStatus = false
        isInterim = false
        let id = CNghttp2_frame_header(frame).pointee.stream_id
        headStreamID = id
        if isServer, CNghttp2_headers_category(frame) == Int32(NGHTTP2_HCAT_REQUEST.rawValue) {
            let slot = streams.open(id: id)
            _ = CNghttp2_set_slot(session, id, slot + 1)
        }
        return 0
    }

    func field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> CInt {
        headerListBytes += name.count + value.count + 32
        guard headerListBytes <= limits.headerListBytes else {
            complaint = "a header list of more than \(limits.headerListBytes) bytes"
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        if !isServer, !headHasStatus, name.count == 7, name[0] == UInt8(ascii: ":") {
            headHasStatus = true
            isInterim = value.first == UInt8(ascii: "1")
        }
        batch.addField(name: name, value: value)
        return 0
    }

    // MARK: Frames

    func received(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) {
        let header = CNghttp2_frame_header(frame).pointee
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            headStreamID = nil
            let category = UInt32(CNghttp2_headers_category(frame))
            let isHead = isServer ? category == NGHTTP2_HCAT_REQUEST.rawValue : headHasStatus && !isInterim
            if isHead, let stream = streams.stream(CNghttp2_slot(session, header.stream_id) - 1) {
                batch.events.append(.head(stream, fields: firstField..<batch.fieldCount))
            } else {
                batch.removeFields(from: firstField)  // an interim response, or trailers
            }
            ended(session, header)
        case NGHTTP2_DATA.rawValue:
            ended(session, header)
        case NGHTTP2_SETTINGS.rawValue:
            let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
            batch.events.append(isAcknowledgement ? .settingsAcknowledged : .settings)
        case NGHTTP2_PING.rawValue where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
            let payload = UnsafeRawBufferPointer(start: CNghttp2_ping_payload(frame), count: 8)
            batch.events.append(.pingAcknowledged(payload.loadUnaligned(as: UInt64.self)))
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = CNghttp2_goaway(frame).pointee
            let debugData = UnsafeRawBufferPointer(start: goAway.opaque_data, count: min(goAway.opaque_data_len, 1024))
            batch.events.append(
                .goAway(
                    lastStreamID: goAway.last_stream_id, HTTP2ErrorCode(rawValue: goAway.error_code),
                    debugData: batch.add(debugData)))
        default: break
        }
    }

    private func ended(_ session: OpaquePointer?, _ header: nghttp2_frame_hd) {
        let slot = CNghttp2_slot(session, header.stream_id) - 1
        guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = streams.stream(slot),
            !streams.isTooLong(slot)
        else { return }
        batch.events.append(.end(stream, bodyBytes: streams.receivedBytes(slot)))
    }

    func bodyPart(session: OpaquePointer?, id: Int32, bytes: UnsafeRawBufferPointer) {
        let slot = CNghttp2_slot(session, id) - 1
        guard let stream = streams.stream(slot), !streams.isTooLong(slot) else { return }
        let before = streams.receivedBytes(slot)
        guard before + bytes.count <= limits.bodyBytes else {
            streams.markTooLong(slot)
            batch.events.append(.bodyTooLong(stream))
            return
        }
        streams.received(bytes.count, slot)
        let stored = min(bytes.count, max(0, limits.storedBodyBytes - before))
        guard stored > 0 else { return }
        batch.events.append(.body(stream, bytes: batch.add(UnsafeRawBufferPointer(rebasing: bytes[..<stored]))))
    }

    func closed(session: OpaquePointer?, id: Int32, code: UInt32) {
        if headStreamID == id { headStreamID = nil }  // its head was given up half-way
        guard let stream = streams.close(CNghttp2_slot(session, id) - 1) else { return }
        batch.events.append(.closed(stream, HTTP2ErrorCode(rawValue: code)))
    }

    /// A request that nghttp2 gave up before it wrote a byte, because the peer has said GOAWAY or takes no more streams.
    func notSent(frame: UnsafePointer<nghttp2_frame>) {
        let header = CNghttp2_frame_header(frame).pointee
        guard !isServer, UInt32(header.type) == NGHTTP2_HEADERS.rawValue,
            let slot = streams.slot(ofID: header.stream_id), let stream = streams.close(slot)
        else { return }
        batch.events.append(.closed(stream, .refusedStream))
    }

    func sent(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) {
        let header = CNghttp2_frame_header(frame).pointee
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue || UInt32(header.type) == NGHTTP2_DATA.rawValue,
            header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        else { return }
        let slot = CNghttp2_slot(session, header.stream_id) - 1
        guard streams.stream(slot) != nil else { return }
        if streams.markSent(slot) { toReset.append(header.stream_id) }
    }

    func readBody(
        slot: Int, into bytes: UnsafeMutableRawBufferPointer, flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let (count, isLast) = streams.readBody(slot, into: bytes)
        if isLast { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        return count
    }
}
