import APNSModel
import CNghttp2

/// What the callbacks of one nghttp2 session write to. A callback copies its arguments and returns.
///
/// It is a value behind a pointer and not a class. A class checks exclusive access at run time in each of a dozen callbacks
/// for a request, which took 5 % of the sender's CPU.
struct EventSink: ~Copyable {
    let limits: HTTP2Limits
    let isServer: Bool
    var batch = HTTP2EventBatch()
    var streams: StreamTable
    var shortener = CredentialShortener()
    private var encoder = HeaderEncoder()
    /// The length of the header block in `sending`, which is after the space for a frame header.
    private var encodedHead: Int?

    /// The stream of the head that is being received; a head may take several calls of `receive`.
    private var headStreamID: Int32?
    private var firstField = 0
    private var headerListBytes = 0
    private var headHasStatus = false
    private var isInterim = false

    /// The stream of the last callback. The next callback is nearly always for the same stream.
    private var lastStream: (id: Int32, slot: Int) = (0, -1)

    /// How many streams the peer may have open. nghttp2 does not get the limit: once the peer had acknowledged it, nghttp2
    /// would end the connection for one stream too many.
    private var streamLimit = Int.max
    /// The limits for the SETTINGS frames that are not sent yet. These frames go through nghttp2 with another limit.
    private var announcedLimits: [UInt32] = []
    /// The highest stream id of the peer that was not refused.
    private(set) var lastTakenStreamID: Int32 = 0

    /// Streams to reset with NO_ERROR, because their response is sent.
    var toReset: [Int32] = []
    /// Whole frames that were made without nghttp2.
    var ownFrames: [UInt8] = []
    /// Memory for bytes to send that are not in nghttp2's memory.
    private var sending = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// nghttp2's message about the peer's last protocol error.
    var peerError = ""
    /// What the peer did wrong, because of which this side ended the connection.
    var violation: String?
    /// How many GOAWAY frames the caller has submitted that are not sent yet. Others come from nghttp2.
    var submittedGoAways = 0
    /// The stream whose RST_STREAM frame was sent last and that is not closed yet.
    private var resetHere: Int32 = 0

    init(limits: HTTP2Limits, isServer: Bool, blocks: SessionMemory.Blocks) {
        self.limits = limits
        self.isServer = isServer
        streams = StreamTable(blocks: blocks)
    }

    deinit {
        streams.freeHeads()
        sending.deallocate()
    }

    /// The frames of `ownFrames`, valid until the next call; nil when there are none.
    mutating func takeOwnFrames() -> UnsafeRawBufferPointer? {
        guard !ownFrames.isEmpty else { return nil }
        let frames = ownFrames
        ownFrames.removeAll()
        return frames.withUnsafeBytes { copyToSending($0) }
    }

    private mutating func copyToSending(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserveSending(bytes.count)
        sending.copyMemory(from: bytes)
        return UnsafeRawBufferPointer(rebasing: sending[..<bytes.count])
    }

    private mutating func reserveSending(_ count: Int) {
        guard sending.count < count else { return }
        sending.deallocate()
        sending = .allocate(byteCount: count, alignment: 8)
    }

    /// The bytes to send for a frame of nghttp2: the frame itself, or a replacement that is valid until the next call.
    mutating func outgoing(_ frame: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        switch frame[3] {
        case UInt8(NGHTTP2_HEADERS.rawValue): withFields(frame)
        case UInt8(NGHTTP2_SETTINGS.rawValue): withAnnouncedLimit(frame)
        default: frame
        }
    }

    private static let frameHeader = 9

    /// Encodes the fields of the HEADERS frame that nghttp2 has made. This is done in the callback, because nghttp2 may have
    /// closed the stream when it returns the frame.
    private mutating func encodeHead(_ slot: Int) {
        guard let head = streams.head(slot) else { return }
        reserveSending(EventSink.frameHeader + HeaderEncoder.maximumSizeUpdateBytes + head.encodedBytes)
        guard let start = sending.baseAddress else { return }
        encodedHead = encoder.encode(head.records, into: start + EventSink.frameHeader)
        streams.dropHead(slot)
    }

    /// Replaces the HEADERS frame of nghttp2, which has no fields, by one with the fields of its stream.
    private mutating func withFields(_ frame: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let count = encodedHead.take() else { return frame }
        sending.copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[..<EventSink.frameHeader]))
        sending[0] = UInt8(truncatingIfNeeded: count >> 16)
        sending[1] = UInt8(truncatingIfNeeded: count >> 8)
        sending[2] = UInt8(truncatingIfNeeded: count)
        return UnsafeRawBufferPointer(rebasing: sending[..<(EventSink.frameHeader + count)])
    }

    /// The sink that a callback's context points at.
    static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<EventSink> {
        context!.assumingMemoryBound(to: EventSink.self)
    }

    /// Replaces the batch by `fresh`, and moves the fields of an incomplete head to it.
    mutating func takeBatch(replacingWith fresh: consuming HTTP2EventBatch) -> HTTP2EventBatch {
        var taken = fresh
        swap(&taken, &batch)
        if headStreamID != nil {
            taken.forEachField(firstField..<taken.fieldCount) { batch.addField(name: $0, value: $1) }
            firstField = 0
        }
        return taken
    }

    // MARK: The stream limit

    /// Refuses streams over `limit` from now on, and puts the limit into the next SETTINGS frame.
    mutating func announce(streamLimit limit: UInt32) {
        streamLimit = Int(limit)
        announcedLimits.append(limit)
    }

    /// Replaces a SETTINGS frame that has a stream limit by a copy with the announced limit.
    private mutating func withAnnouncedLimit(_ frame: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let limit = announcedLimits.first else { return frame }
        // Nine bytes of frame header, then six for each entry: identifier (2), value (4). An acknowledgement has none.
        let entries = stride(from: 9, to: frame.count, by: 6).filter {
            frame[$0] == 0 && frame[$0 + 1] == UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue)
        }
        guard !entries.isEmpty else { return frame }
        announcedLimits.removeFirst()
        let copy = copyToSending(frame)
        for entry in entries { sending.storeBytes(of: limit.bigEndian, toByteOffset: entry + 2, as: UInt32.self) }
        return copy
    }

    /// Resets only the stream over the limit, so that the peer may send it again (RFC 9113 5.1.2). The stream gets no slot
    /// and causes no event.
    private mutating func refuse(_ id: Int32, _ session: OpaquePointer?) -> CInt {
        headStreamID = nil
        nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, HTTP2ErrorCode.refusedStream.rawValue)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    // MARK: Heads

    mutating func beginHead(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) -> CInt {
        firstField = batch.fieldCount
        headerListBytes = 0
        headHasStatus = false
        isInterim = false
        let id = CNghttp2_frame_header(frame).pointee.stream_id
        headStreamID = id
        if isServer, CNghttp2_headers_category(frame) == Int32(NGHTTP2_HCAT_REQUEST.rawValue) {
            guard streams.count < streamLimit else { return refuse(id, session) }
            lastTakenStreamID = id
            let slot = streams.open(id: id)
            _ = CNghttp2_set_slot(session, id, slot + 1)
            lastStream = (id, slot)
        }
        return 0
    }

    /// Adds a field as nghttp2 gives it.
    mutating func field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> CInt {
        guard let original = shortener.original(name: name, value: value, in: headStreamID) else {
            return fieldOfPeer(name: name, value: value)
        }
        return original.withUnsafeBytes { fieldOfPeer(name: name, value: $0) }
    }

    private mutating func fieldOfPeer(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> CInt {
        headerListBytes += name.count + value.count + 32
        guard headerListBytes <= limits.headerListBytes else {
            peerError = "a header list of more than \(limits.headerListBytes) bytes"
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        if !isServer, !headHasStatus, name.count == 7, name[0] == UInt8(ascii: ":") {
            headHasStatus = true
            isInterim = value.first == UInt8(ascii: "1")
            if isInterim, let slot = headStreamID.flatMap({ streams.slot(ofID: $0) }),
                streams.countInterim(slot) > limits.interimAnswers
            {
                peerError = "more than \(limits.interimAnswers) interim answers"
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
        }
        batch.addField(name: name, value: value)
        return 0
    }

    // MARK: Frames

    /// The slot of an open stream; -1 for one that has none.
    private mutating func slot(of id: Int32, _ session: OpaquePointer?) -> Int {
        if lastStream.id != id { lastStream = (id, CNghttp2_slot(session, id) - 1) }
        return lastStream.slot
    }

    mutating func received(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) {
        let header = CNghttp2_frame_header(frame).pointee
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            headStreamID = nil
            let category = UInt32(CNghttp2_headers_category(frame))
            let isHead = isServer ? category == NGHTTP2_HCAT_REQUEST.rawValue : headHasStatus && !isInterim
            if isHead, let stream = streams.stream(slot(of: header.stream_id, session)) {
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
            if !isAcknowledgement { limitTable(CNghttp2_settings(frame).pointee) }
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

    /// Applies each size in order: the peer has evicted what did not fit into the smallest (RFC 7541 4.2).
    private mutating func limitTable(_ settings: nghttp2_settings) {
        for entry in UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        where entry.settings_id == Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue) {
            encoder.limit(to: Int(entry.value))
        }
    }

    private mutating func ended(_ session: OpaquePointer?, _ header: nghttp2_frame_hd) {
        let slot = self.slot(of: header.stream_id, session)
        guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = streams.stream(slot),
            !streams.isTooLong(slot)
        else { return }
        batch.events.append(.end(stream, bodyBytes: streams.receivedBytes(slot)))
    }

    mutating func bodyPart(session: OpaquePointer?, id: Int32, bytes: UnsafeRawBufferPointer) {
        let slot = self.slot(of: id, session)
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

    mutating func closed(session: OpaquePointer?, id: Int32, code: UInt32) {
        if headStreamID == id { headStreamID = nil }  // its head is incomplete
        defer { resetHere = 0 }
        guard let stream = streams.close(slot(of: id, session)) else { return }
        lastStream = (0, -1)
        if resetHere == id { noteReset(of: stream) }
        batch.events.append(.closed(stream, HTTP2ErrorCode(rawValue: code)))
    }

    private mutating func noteReset(of stream: HTTP2Stream) {
        batch.resetsHere.append(HTTP2EventBatch.ResetHere(streamID: stream.id, reason: peerError))
        peerError = ""
    }

    /// nghttp2 dropped a request before it wrote a byte, because the peer sent GOAWAY or allows no more streams, or because
    /// this side has reset it.
    mutating func notSent(frame: UnsafePointer<nghttp2_frame>, error: CInt) {
        let header = CNghttp2_frame_header(frame).pointee
        guard !isServer, UInt32(header.type) == NGHTTP2_HEADERS.rawValue,
            let slot = streams.slot(ofID: header.stream_id), let stream = streams.close(slot)
        else { return }
        let wasReset = error == NGHTTP2_ERR_STREAM_CLOSING.rawValue
        if wasReset { noteReset(of: stream) }
        batch.events.append(.closed(stream, wasReset ? .cancel : .refusedStream))
    }

    mutating func sent(session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>) {
        let header = CNghttp2_frame_header(frame).pointee
        let isHead = UInt32(header.type) == NGHTTP2_HEADERS.rawValue
        guard isHead || UInt32(header.type) == NGHTTP2_DATA.rawValue else { return sentOther(header, frame) }
        let slot = self.slot(of: header.stream_id, session)
        if isHead { encodeHead(slot) }
        guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, streams.stream(slot) != nil else { return }
        if streams.markSent(slot) { toReset.append(header.stream_id) }
    }

    private mutating func sentOther(_ header: nghttp2_frame_hd, _ frame: UnsafePointer<nghttp2_frame>) {
        switch UInt32(header.type) {
        case NGHTTP2_RST_STREAM.rawValue: resetHere = header.stream_id
        case NGHTTP2_GOAWAY.rawValue:
            guard submittedGoAways == 0 else {
                submittedGoAways -= 1
                return
            }
            // nghttp2 ends the connection because of what the peer sent, and says why in the debug data.
            let goAway = CNghttp2_goaway(frame).pointee
            let code = HTTP2ErrorCode(rawValue: goAway.error_code)
            guard code != .noError, violation == nil else { return }
            let text = UnsafeRawBufferPointer(start: goAway.opaque_data, count: min(goAway.opaque_data_len, 200))
            var cause = [String(decoding: text, as: UTF8.self), peerError].filter { !$0.isEmpty }
            if cause.isEmpty, let fault = code.fault { cause = [fault] }
            violation = cause.isEmpty ? "\(code)" : "\(cause.joined(separator: ", ")) (\(code))"
        default: break
        }
    }

    mutating func readBody(
        slot: Int, into bytes: UnsafeMutableRawBufferPointer, flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let (count, isLast) = streams.readBody(slot, into: bytes)
        if isLast { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        guard count > 0 || isLast else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        return count
    }
}
