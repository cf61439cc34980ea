#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif
package import APNSModel
package import HTTP2Session
package import NIOCore
internal import NIOPosix
package import TLSSession

/// One connection: the channel handler that owns the whole stack. Ciphertext goes through TLSSession and HTTP2Session to
/// events, and back, on the event loop, with no further handlers.
///
/// Whole reads go in, and after each the answers go out in one buffer: a TLS record for each frame would cost several
/// times the CPU. All of it belongs to the event loop; call nothing here from elsewhere.
package final class Connection<Delegate: ConnectionDelegate>: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    package var http2: HTTP2Session
    private var tls: TLSSession
    private let delegate: Delegate
    private let handshakeTimeout: TimeAmount
    private var handshakeTimer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    private enum Phase {
        case handshake, open
        /// Nothing is read and nothing written any more, and the socket is open.
        case silent
        case closed
    }
    private var phase = Phase.handshake
    private var holdsHandshake = false
    private var closeError: TransportError?
    private var isInTurn = false

    /// When bytes last came in; the moment of the connection's start before any did.
    package private(set) var lastRead = MonotonicTime.now

    package init(
        tls: consuming TLSSession, http2: consuming HTTP2Session, handshakeTimeout: TimeAmount, delegate: Delegate
    ) {
        self.tls = tls
        self.http2 = http2
        self.handshakeTimeout = handshakeTimeout
        self.delegate = delegate
    }

    package var isOpen: Bool { phase == .open }
    package var peerCertificate: CertificateFacts? { tls.peerCertificate }
    package var peerVerification: PeerVerification { tls.peerVerification }
    package var remoteAddress: SocketAddress? { context?.remoteAddress }
    /// The host name that a client asked for; nil where it named none.
    package var requestedHostName: String? { tls.serverName }

    // MARK: Life

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start(context) }
    }

    package func channelActive(context: ChannelHandlerContext) { start(context) }

    private func start(_ context: ChannelHandlerContext) {
        guard handshakeTimer == nil, phase == .handshake else { return }
        lastRead = .now
        setHandshakeTimer(context)
        delegate.connectionStarted(self)
        if phase == .handshake { turn { () throws(TLSError) in try self.continueHandshake() } }
    }

    private func setHandshakeTimer(_ context: ChannelHandlerContext) {
        handshakeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: handshakeTimeout) {
            self.fail(TransportError(.handshakeFailed, "the TLS handshake took too long"))
        }
    }

    /// Lets the peer wait for TLS until `resumeHandshake`. To be called in `connectionStarted`.
    package func holdHandshake() {
        guard phase == .handshake else { return }
        holdsHandshake = true
        handshakeTimer?.cancel()
        setReading(false)
    }

    package func resumeHandshake() {
        guard phase == .handshake, holdsHandshake, let context else { return }
        holdsHandshake = false
        lastRead = .now
        setHandshakeTimer(context)
        setReading(true)
        turn { () throws(TLSError) in try self.continueHandshake() }
        if phase == .open { readAll() }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if phase != .closed, closeError == nil {
            closeError = TransportError(.closedByPeer, "the peer closed the connection")
        }
        finish()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportError(.closedByPeer, "the connection broke: \(TransportError.words(for: error))"))
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        finish()
        self.context = nil
    }

    private func finish() {
        guard phase != .closed else { return }
        phase = .closed
        handshakeTimer?.cancel()
        delegate.connectionClosed(self, error: closeError)
    }

    // MARK: In

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .handshake || phase == .open else { return }
        lastRead = .now
        let buffer = unwrapInboundIn(data)
        turn { () throws(TLSError) in
            try self.receive(buffer)
            if self.phase == .handshake { try self.continueHandshake() }
        }
        if phase == .open { readAll() }
    }

    private func receive(_ buffer: ByteBuffer) throws(TLSError) {
        let result: Result<Void, TLSError> = buffer.withUnsafeReadableBytes { bytes in
            do throws(TLSError) {
                try tls.receive(bytes)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    private func continueHandshake() throws(TLSError) {
        guard !holdsHandshake, try tls.handshake() == .done else { return }
        handshakeTimer?.cancel()
        // A client that offers no protocol at all is taken to know that this is HTTP/2 (docs/reference/apns.md 1.2).
        guard tls.negotiatedProtocol == "h2" || tls.isServer && tls.negotiatedProtocol == nil else {
            fail(
                TransportError(
                    .handshakeFailed, "the peer does not speak HTTP/2: ALPN did not agree on h2", isPermanent: true))
            return
        }
        phase = .open
        delegate.connectionOpened(self)
    }

    /// Decrypts what has come, up to 64 KiB at a time, hands each such piece on, and sends what came of it.
    private func readAll() {
        let input = LoopBuffers.input
        var isMore = true
        while isMore, phase == .open {
            var count = 0
            var end: (any Error)?
            isMore = false
            do {
                reading: while count < ioBytes {
                    switch try tls.read(into: UnsafeMutableRawBufferPointer(rebasing: input[count...])) {
                    case .bytes(let read): count += read
                    case .wantsMore: break reading
                    case .closed:
                        end = TransportError(.closedByPeer, "the peer closed the connection")
                        break reading
                    }
                }
                isMore = count == ioBytes
            } catch {
                end = error  // what was decrypted before it still counts: there may be answers in it
            }
            if count > 0 {
                do {
                    try http2.receive(UnsafeRawBufferPointer(rebasing: input[..<count]), at: lastRead)
                } catch {
                    end = error
                }
            }
            flush()
            if let end { return fail(end) }
        }
    }

    private func handleEvents() {
        let batch = http2.takeEvents()
        delegate.connection(self, received: batch)
        http2.recycle(batch)
    }

    // MARK: Out

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    /// Handles the events that wait, and sends all that was submitted, as far as the socket takes it.
    package func flush() {
        guard phase == .open, !isInTurn else { return }
        turn { () throws(TLSError) in
            repeat {
                if self.http2.hasEvents { self.handleEvents() }
                guard try self.sendAll() else { break }
            } while self.http2.hasEvents && self.phase == .open
        }
        if phase == .open, http2.isFinished { close() }
    }

    /// Moves frames from HTTP/2 through TLS to the channel.
    ///
    /// - Returns: Whether all of it went; false when the socket has to be waited for.
    private func sendAll() throws(TLSError) -> Bool {
        guard let context else { return true }
        while phase != .silent, context.channel.isWritable {
            let count: Int
            do {
                count = try http2.send(into: LoopBuffers.output)
            } catch {
                fail(error)
                return true
            }
            guard count > 0 else { return true }
            try tls.write(UnsafeRawBufferPointer(rebasing: LoopBuffers.output[..<count]))
            writeCiphertext(context)
        }
        return false
    }

    /// Runs one step and sends the ciphertext that it left, also that of an alert.
    private func turn(_ step: () throws(TLSError) -> Void) {
        let wasInTurn = isInTurn
        isInTurn = true
        do throws(TLSError) {
            try step()
        } catch {
            isInTurn = wasInTurn
            return fail(error)
        }
        isInTurn = wasInTurn
        if let context, !wasInTurn {
            writeCiphertext(context)
            context.flush()
            if phase == .open, http2.hasEvents { flush() }
        }
    }

    private func writeCiphertext(_ context: ChannelHandlerContext) {
        let count = tls.pendingCiphertextBytes
        guard count > 0 else { return }
        let buffer = LoopBuffers.ciphertext(count) { tls.takeCiphertext(into: $0) }
        context.write(wrapOutboundOut(buffer), promise: nil)
    }

    /// Reads nothing any more, as a peer does that hangs: the socket stays open and nobody answers.
    package func stopReading() { setReading(false) }

    private func setReading(_ reads: Bool) {
        context?.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    /// Sends what is submitted, as far as the socket takes it now, and from then on neither reads nor writes. The socket
    /// stays open until `close`, or until the peer closes it.
    package func fallSilent() {
        guard phase == .open, let context else { return }
        _ = try? sendAll()
        context.flush()
        setReading(false)
        phase = .silent
    }

    // MARK: Ending

    private func fail(_ error: any Error) {
        let transportError: TransportError =
            switch error {
            case let error as TransportError: error
            case let error as TLSError:
                TransportError(
                    phase == .handshake ? .handshakeFailed : .protocolViolation, error.description,
                    isPermanent: phase == .handshake && error.isPermanent)
            case let error as HTTP2Error:
                TransportError(.protocolViolation, error.description, isPermanent: error.code == .notHTTP2)
            default: TransportError(.closedByPeer, "\(error)")
            }
        fail(transportError)
    }

    /// Ends the connection with `error` for its owner.
    package func fail(_ error: TransportError) {
        guard phase != .closed else { return }
        closeError = closeError ?? error
        close()
    }

    /// Ends the connection: what is submitted goes out as far as the socket takes it now, then TLS and TCP are closed.
    package func close() {
        guard phase != .closed, let context else { return }
        if phase == .open { _ = try? sendAll() }
        if phase != .silent {
            tls.close()
            writeCiphertext(context)
            context.flush()
        }
        let channel = context.channel
        finish()
        channel.close(promise: nil)
    }

    /// Ends the connection with TCP's RST: TLS says nothing, and what the peer has not read by then may be lost to it.
    package func reset() {
        guard phase != .closed, let context else { return }
        if phase == .open { _ = try? sendAll() }
        context.flush()
        let channel = context.channel
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
        finish()
        channel.close(promise: nil)
    }
}

/// How much is decrypted before HTTP/2 sees it, and how many bytes of frames go into one write.
private let ioBytes = 65536

/// How much ciphertext is still a short write.
private let shortWrite = 4096

/// Room for plaintext on its way between TLS and HTTP/2, and for ciphertext on its way to the socket. All connections of a
/// thread, and so of an event loop, share it: no plaintext stays in it between two calls, and the ciphertext is written
/// elsewhere while a socket still holds on to it.
private enum LoopBuffers {
    // @unchecked: a pair is reached through a thread-specific variable only, so no other thread ever sees it.
    private final class Pair: @unchecked Sendable {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: ioBytes, alignment: 16)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ioBytes, alignment: 16)
        var ciphertext = ByteBuffer()
        var shortCiphertext = ByteBuffer()

        deinit {
            input.deallocate()
            output.deallocate()
        }
    }

    private static let current = ThreadSpecificVariable<Pair>()

    private static var pair: Pair {
        if let pair = current.currentValue { return pair }
        let pair = Pair()
        current.currentValue = pair
        return pair
    }

    static var input: UnsafeMutableRawBufferPointer { pair.input }
    static var output: UnsafeMutableRawBufferPointer { pair.output }

    /// A buffer with what `fill` puts into it, `count` bytes.
    ///
    /// The memory is that of the last one, if the socket has taken it. New memory for each would make the C library tidy up
    /// all of its small blocks each time, which was a fifth of the CPU of a gateway that writes often.
    static func ciphertext(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> ByteBuffer {
        let pair = self.pair
        // A short write that its peer does not take must not hold on to the memory of a long one.
        return count <= shortWrite ? reuse(&pair.shortCiphertext, count, fill) : reuse(&pair.ciphertext, count, fill)
    }

    private static func reuse(
        _ buffer: inout ByteBuffer, _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
    ) -> ByteBuffer {
        buffer.clear(minimumCapacity: count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { fill($0) }
        defer { if buffer.capacity > 4 * ioBytes { buffer = ByteBuffer() } }
        return buffer
    }
}

extension MonotonicTime {
    /// The machine's monotonic clock, which NIO reads as well.
    package static var now: MonotonicTime {
        MonotonicTime(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
