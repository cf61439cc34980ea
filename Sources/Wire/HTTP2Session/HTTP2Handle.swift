import CNghttp2

/// Owns one nghttp2 session.
struct HTTP2Handle: ~Copyable {
    let raw: OpaquePointer
    let sink: UnsafeMutablePointer<EventSink>  // the callbacks write to it, so it outlives `raw`
    private let memory: SessionMemory  // the allocator of `raw`

    init(limits: HTTP2Limits, isServer: Bool) throws(HTTP2Error) {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { throw HTTP2Error.outOfMemory }
        defer { nghttp2_session_callbacks_del(callbacks) }
        HTTP2Handle.set(callbacks)

        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0, let options else { throw HTTP2Error.outOfMemory }
        defer { nghttp2_option_del(options) }
        // In a server nghttp2 would keep as many closed streams as may be open. PeerStreams finds frames for them instead. In
        // a client it keeps none, and ignores frames for a stream that it has closed or reset.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_outbound_ack(options, 256)
        CNghttp2_leave_floods_to_caller(options)  // FloodGuard counts them
        // The server refuses a value such as `bearer ` with a response. Without this option nghttp2 would reset the stream.
        if isServer { nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1) }
        // Without this option nghttp2 would hold back requests over 100 until it has the peer's SETTINGS. The caller limits them.
        nghttp2_option_set_peer_max_concurrent_streams(options, UInt32(Int32.max))

        let memory = SessionMemory()
        let sink = UnsafeMutablePointer<EventSink>.allocate(capacity: 1)
        sink.initialize(to: EventSink(limits: limits, isServer: isServer, blocks: memory.blocks))
        var functions = memory.functions
        var session: OpaquePointer?
        let status =
            isServer
            ? nghttp2_session_server_new3(&session, callbacks, sink, options, &functions)
            : nghttp2_session_client_new3(&session, callbacks, sink, options, &functions)
        guard status == 0, let session else {
            sink.deinitialize(count: 1).deallocate()
            throw HTTP2Error.outOfMemory
        }
        raw = session
        self.sink = sink
        self.memory = memory
    }

    deinit {
        nghttp2_session_del(raw)
        sink.deinitialize(count: 1).deallocate()
    }

    private static func set(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, context in
            EventSink.of(context).pointee.beginHead(session: session, frame: frame!)
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, _, context in
            EventSink.of(context).pointee.field(
                name: UnsafeRawBufferPointer(start: name, count: nameCount),
                value: UnsafeRawBufferPointer(start: value, count: valueCount))
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, context in
            EventSink.of(context).pointee.received(session: session, frame: frame!)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, bytes, count, context in
            EventSink.of(context).pointee.bodyPart(
                session: session, id: id, bytes: UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, code, context in
            EventSink.of(context).pointee.closed(session: session, id: id, code: code)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { session, frame, context in
            EventSink.of(context).pointee.sent(session: session, frame: frame!)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, error, context in
            EventSink.of(context).pointee.notSent(frame: frame!, error: error)
            return 0
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, context in
            let message = UnsafeRawBufferPointer(start: text, count: min(count, 200))
            EventSink.of(context).pointee.peerError = String(decoding: message, as: UTF8.self)
            return 0
        }
    }
}

extension HTTP2Error {
    static let outOfMemory = HTTP2Error(code: .outOfMemory, detail: "nghttp2 could not allocate")
}
