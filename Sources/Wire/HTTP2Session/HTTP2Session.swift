package import APNSModel
import CNghttp2

/// One side of an HTTP/2 connection without I/O: bytes in, events and bytes out.
///
/// Call `receive` with bytes from the peer, and take the events with `takeEvents`. After these calls and after each
/// submission, call `send` until it returns 0.
package struct HTTP2Session: ~Copyable {
    package enum Role: Sendable { case client, server }

    private let handle: HTTP2Handle
    private var sink: UnsafeMutablePointer<EventSink> { handle.sink }
    private var flood: FloodGuard
    private var fields = HTTP2Fields()
    private var spare: HTTP2EventBatch? = HTTP2EventBatch()
    /// Bytes to send that did not fit into the last target. They are valid until the next call of `CNghttp2_send`.
    private var leftover = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isTerminated = false

    package init(_ role: Role, limits: HTTP2Limits) throws(HTTP2Error) {
        handle = try HTTP2Handle(limits: limits, isServer: role == .server)
        flood = FloodGuard(limits: limits, isServer: role == .server)
    }

    /// Queues the connection preface with our SETTINGS. Call it once, before anything is sent or received.
    ///
    /// - Parameter connectionWindow: How many bytes the peer may send on all streams together before it waits; at least
    ///   65,535.
    package mutating func start(_ settings: [HTTP2Setting], connectionWindow: Int32 = 65535) throws(HTTP2Error) {
        try updateSettings(settings)
        if connectionWindow > 65535 {
            // Sent immediately, because some clients fail when the WINDOW_UPDATE of the connection comes later.
            nghttp2_session_set_local_window_size(handle.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, connectionWindow)
        }
    }

    // MARK: Bytes

    /// Processes bytes of the peer, which may be cut anywhere. Take the resulting events with `takeEvents`.
    ///
    /// - Parameter bytes: They may be changed.
    package mutating func receive(_ bytes: UnsafeMutableRawBufferPointer, at now: MonotonicTime) throws(HTTP2Error) {
        // After its own GOAWAY for an error, nghttp2 may still object to what follows.
        guard !isTerminated, sink.pointee.violation == nil, !bytes.isEmpty else { return }
        if let violation = flood.inspect(UnsafeRawBufferPointer(bytes), at: now) { return terminate(violation) }
        let status = pass(bytes)
        guard status < 0 else {
            // Only for a server: in a client, the waiting frames are its own requests.
            if sink.pointee.isServer, waitingFrames > openStreams + sink.pointee.limits.waitingFrames {
                terminate(.unread)
            }
            return
        }
        switch nghttp2_error(rawValue: Int32(truncatingIfNeeded: status)) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC:
            throw HTTP2Error(code: .notHTTP2, detail: "the peer did not begin with the HTTP/2 connection preface")
        case NGHTTP2_ERR_FLOODED:
            terminate(.unreadAcknowledgements)
        case NGHTTP2_ERR_NOMEM: throw HTTP2Error.outOfMemory
        case let error:
            let text = String(cString: nghttp2_strerror(error.rawValue))
            throw HTTP2Error(
                code: .protocolViolation,
                detail: sink.pointee.peerError.isEmpty ? text : "\(text) (\(sink.pointee.peerError))")
        }
    }

    /// Passes bytes to nghttp2, with shorter credentials.
    ///
    /// - Returns: nghttp2's status.
    private mutating func pass(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        var count = bytes.count
        if !flood.heads.isEmpty, sink.pointee.shortener.find(in: UnsafeRawBufferPointer(bytes), heads: flood.heads) {
            count = sink.pointee.shortener.shorten(bytes)
        }
        return CNghttp2_receive(handle.raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
    }

    private var waitingFrames: Int { Int(nghttp2_session_get_outbound_queue_size(handle.raw)) }

    /// Copies waiting frames into `target`, as many bytes as fit.
    ///
    /// - Returns: The number of bytes copied; 0 when nothing waits.
    package mutating func send(into target: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var count = 0
        while count < target.count {
            if leftover.isEmpty {
                var start: UnsafePointer<UInt8>?
                let length = CNghttp2_send(handle.raw, &start)
                guard length >= 0 else { throw HTTP2Error.outOfMemory }
                if length == 0 {
                    if submitLateResets() { continue }
                    guard let frames = sink.pointee.takeOwnFrames() else { break }
                    leftover = frames
                    continue
                }
                leftover = sink.pointee.outgoing(UnsafeRawBufferPointer(start: start, count: length))
            }
            let fitting = min(leftover.count, target.count - count)
            UnsafeMutableRawBufferPointer(rebasing: target[count...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: leftover[..<fitting]))
            leftover = UnsafeRawBufferPointer(rebasing: leftover[fitting...])
            count += fitting
        }
        return count
    }

    /// Resets the streams whose response was sent while the peer was still sending its request (RFC 9113 8.1).
    private mutating func submitLateResets() -> Bool {
        guard !sink.pointee.toReset.isEmpty else { return false }
        for id in sink.pointee.toReset where CNghttp2_slot(handle.raw, id) > 0 { submitReset(id, .noError) }
        sink.pointee.toReset.removeAll(keepingCapacity: true)
        return true
    }

    /// Whether both directions have ended and all output is sent, so that the connection can be closed.
    package var isFinished: Bool {
        leftover.isEmpty && sink.pointee.ownFrames.isEmpty && nghttp2_session_want_write(handle.raw) == 0
            && (isTerminated || nghttp2_session_want_read(handle.raw) == 0)
    }

    /// nghttp2's message about the peer's last protocol error; empty when there was none.
    package var peerError: String { sink.pointee.peerError }

    /// What the peer did wrong, with the error code that it was sent in GOAWAY; nil unless this side ended the connection
    /// because of it.
    package var violation: String? { sink.pointee.violation }

    // MARK: Events

    package var hasEvents: Bool { !sink.pointee.batch.isEmpty }

    /// Takes the events so far. Call `recycle` with the batch before the next call.
    package mutating func takeEvents() -> HTTP2EventBatch {
        guard let fresh = spare.take() else { preconditionFailure("the last batch was not recycled") }
        return sink.pointee.takeBatch(replacingWith: fresh)
    }

    /// All events of `batch` were handled, so its slots and bytes can be reused.
    package mutating func recycle(_ batch: consuming HTTP2EventBatch) {
        batch.removeAll()
        spare = consume batch
        // Streams that closed while the batch was being handled still have their event waiting.
        if sink.pointee.batch.isEmpty { sink.pointee.streams.releaseClosed() }
    }

    // MARK: Streams

    /// The number of open streams.
    package var openStreams: Int { sink.pointee.streams.count }

    /// Submits a request.
    ///
    /// - Parameter head: Adds the header fields, pseudo fields first.
    package mutating func request(
        body: [UInt8], head: (inout HTTP2Fields) -> Void
    ) throws(HTTP2Error) -> HTTP2Stream {
        try fill(head)
        let slot = sink.pointee.streams.open(id: 0)
        sink.pointee.streams.setBody(body, slot)
        try sink.pointee.streams.setHead(fields, slot)
        let id = CNghttp2_submit_request(handle.raw, body.isEmpty ? nil : readBody, slot + 1)
        guard id > 0 else {
            sink.pointee.streams.cancelOpen(slot)
            if nghttp2_error(rawValue: id) == NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE {
                throw HTTP2Error(code: .streamIDsExhausted, detail: "the connection has used up its stream ids")
            }
            throw HTTP2Error(code: .closing, detail: String(cString: nghttp2_strerror(id)))
        }
        sink.pointee.streams.setID(id, slot)
        return HTTP2Stream(id: id, slot: Int32(truncatingIfNeeded: slot))
    }

    /// Submits the response of a server.
    ///
    /// - Parameters:
    ///   - isRequestIncomplete: The peer may still be sending its request, which is not read: the stream is reset with
    ///     NO_ERROR after the response is sent.
    ///   - keepsBodyBack: Only the head is sent now; `release` allows the body and the end of the stream.
    package mutating func respond(
        to stream: HTTP2Stream, body: [UInt8], isRequestIncomplete: Bool = false, keepsBodyBack: Bool = false,
        head: (inout HTTP2Fields) -> Void
    ) throws(HTTP2Error) {
        let slot = Int(stream.slot)
        guard sink.pointee.streams.stream(slot) == stream else { return }  // reset by the peer meanwhile
        try fill(head)
        sink.pointee.streams.setBody(body, released: keepsBodyBack ? 0 : .max, slot)
        try sink.pointee.streams.setHead(fields, slot)
        if isRequestIncomplete { sink.pointee.streams.resetAfterResponse(slot) }
        let status = CNghttp2_submit_response(
            handle.raw, stream.id, body.isEmpty && !keepsBodyBack ? nil : readBody, slot + 1)
        guard status == 0 else {
            throw HTTP2Error(code: .closing, detail: String(cString: nghttp2_strerror(status)))
        }
    }

    /// Allows sending a body that `respond` held back.
    ///
    /// - Parameter bytes: How many of its bytes may be sent in all; nil for all of them and the end of the stream.
    package mutating func release(_ stream: HTTP2Stream, upTo bytes: Int?) {
        let slot = Int(stream.slot)
        guard sink.pointee.streams.stream(slot) == stream else { return }
        sink.pointee.streams.release(upTo: bytes ?? .max, slot)
        nghttp2_session_resume_data(handle.raw, stream.id)  // an error only means that nothing waits yet
    }

    private mutating func fill(_ head: (inout HTTP2Fields) -> Void) throws(HTTP2Error) {
        fields.removeAll()
        head(&fields)
        guard !fields.isOverfull else {
            throw HTTP2Error(
                code: .headerListTooLarge, detail: "the header fields are more than 32, or larger than 16 KiB")
        }
    }

    /// Resets one stream; its `closed` event comes when the frame is sent.
    package mutating func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        guard sink.pointee.streams.stream(Int(stream.slot)) == stream else { return }
        submitReset(stream.id, code)
    }

    private mutating func submitReset(_ id: Int32, _ code: HTTP2ErrorCode) {
        nghttp2_submit_rst_stream(handle.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }

    /// The open stream with this slot.
    package func stream(inSlot slot: Int) -> HTTP2Stream? { sink.pointee.streams.stream(slot) }

    /// Whether the last byte of this side's message has left the session. If not, the peer has surely not processed the
    /// request.
    package func wasSent(_ stream: HTTP2Stream) -> Bool {
        sink.pointee.streams.stream(Int(stream.slot)) == stream && sink.pointee.streams.wasSent(Int(stream.slot))
    }

    // MARK: Connection

    /// Sends SETTINGS. A server immediately refuses streams over a new `maxConcurrentStreams`, with REFUSED_STREAM.
    package mutating func updateSettings(_ settings: [HTTP2Setting]) throws(HTTP2Error) {
        let limit = sink.pointee.isServer ? settings.last { $0.identifier == streamLimitID }?.value : nil
        let entries = settings.map {
            nghttp2_settings_entry(
                settings_id: Int32($0.identifier),
                value: limit != nil && $0.identifier == streamLimitID ? UInt32(Int32.max) : $0.value)
        }
        let status = nghttp2_submit_settings(
            handle.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        guard status == 0 else { throw HTTP2Error(code: .closing, detail: String(cString: nghttp2_strerror(status))) }
        if let limit { sink.pointee.announce(streamLimit: limit) }
    }

    /// How many streams the peer's SETTINGS allow to be open; no limit before they are received.
    package var peerMaxConcurrentStreams: Int {
        Int(nghttp2_session_get_remote_settings(handle.raw, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    package mutating func ping(_ payload: UInt64) {
        withUnsafeBytes(of: payload) { bytes in
            _ = nghttp2_submit_ping(
                handle.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The highest stream id of the peer that caused an event; streams over the limit do not count.
    package var lastProcessedStreamID: Int32 { sink.pointee.lastTakenStreamID }

    /// Sends GOAWAY. Streams up to `lastStreamID` continue; nil means `lastProcessedStreamID`.
    package mutating func goAway(lastStreamID: Int32? = nil, _ code: HTTP2ErrorCode, debugData: [UInt8] = []) {
        let status = nghttp2_submit_goaway(
            handle.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStreamID ?? lastProcessedStreamID, code.rawValue,
            debugData, debugData.count)
        if status == 0 { sink.pointee.submittedGoAways += 1 }
    }

    /// Sends a GOAWAY frame after everything that waits, and changes nothing else: streams above `lastStreamID` stay open on
    /// this side, new streams are accepted, and the session does not end. The caller must act as the frame promises.
    package mutating func sayGoAway(lastStreamID: Int32, _ code: HTTP2ErrorCode, debugData: [UInt8]) {
        let length = UInt32(8 + debugData.count)
        sink.pointee.ownFrames += [
            UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), 7, 0, 0, 0, 0, 0,
        ]
        for word in [UInt32(bitPattern: lastStreamID), code.rawValue] {
            withUnsafeBytes(of: word.bigEndian) { sink.pointee.ownFrames += $0 }
        }
        sink.pointee.ownFrames += debugData
    }

    /// Sends GOAWAY and stops reading. The connection can be closed when the output is sent.
    private mutating func terminate(_ violation: FrameViolation) {
        guard !isTerminated else { return }
        isTerminated = true
        sink.pointee.peerError = violation.rawValue
        sink.pointee.violation = "\(violation.rawValue) (\(violation.code))"
        goAway(violation.code, debugData: Array(violation.rawValue.utf8))
    }
}

private let streamLimitID = UInt16(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue)

private let readBody: CNghttp2_read_body = { _, _, bytes, capacity, flags, source, context in
    EventSink.of(context).pointee.readBody(
        slot: CNghttp2_slot_of_source(source!) - 1,
        into: UnsafeMutableRawBufferPointer(start: bytes, count: capacity), flags: flags!)
}
