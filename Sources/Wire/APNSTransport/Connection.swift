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

/// One connection, as the only channel handler of its channel. It turns ciphertext into events of HTTP/2 by way of
/// TLSSession and HTTP2Session, and back.
///
/// After each read all answers are written in one buffer. A TLS record for each frame would take several times the CPU. Use
/// a connection only on its event loop.
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
        /// Nothing is read or written, and the socket stays open.
        case silent
        case closed
    }
    private var phase = Phase.handshake
    private var holdsHandshake = false
    private var closeError: TransportError?
    private var isInTurn = false

    /// The time of the last read; before the first one, the time of the connection's start.
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
    /// As `TLSSession.peerChain`, also after a handshake that failed.
    package var peerChain: [CertificateFacts] { tls.peerChain }
    package var peerVerification: PeerVerification { tls.peerVerification }
    /// `TLSv1.2` or `TLSv1.3`; undefined before the handshake is done.
    package var tlsVersion: String { tls.version }
    package var tlsCipher: String { tls.cipher }
    package var remoteAddress: SocketAddress? { context?.remoteAddress }
    /// The host name that the client asked for (SNI); nil if it asked for none.
    package var requestedHostName: String? { tls.serverName }

    // MARK: Start and end

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

    /// Delays the TLS handshake until `resumeHandshake`. Call it in `connectionStarted`.
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
        fail(TransportError(.closedByPeer, "the connection broke: \(TransportError.description(of: error))"))
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

    // MARK: Reading

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
        // A client without ALPN is assumed to speak HTTP/2 (docs/reference/apns.md 1.2).
        guard tls.negotiatedProtocol == "h2" || tls.isServer && tls.negotiatedProtocol == nil else {
            fail(
                TransportError(
                    .handshakeFailed, "the peer does not speak HTTP/2: ALPN did not agree on h2", isPermanent: true,
                    tlsCode: .noSharedProtocol))
            return
        }
        phase = .open
        delegate.connectionOpened(self)
    }

    /// Decrypts the received bytes, up to 64 KiB at a time, and handles each piece and sends the answers before the next.
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
                end = error  // the bytes decrypted before it are still handled: they may contain answers
            }
            if count > 0 {
                do {
                    try http2.receive(UnsafeMutableRawBufferPointer(rebasing: input[..<count]), at: lastRead)
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

    // MARK: Writing

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    /// Handles the waiting events and sends everything submitted, as far as the socket accepts it.
    package func flush() {
        guard phase == .open, !isInTurn else { return }
        turn { () throws(TLSError) in
            repeat {
                if self.http2.hasEvents { self.handleEvents() }
                guard try self.sendAll() else { break }
            } while self.http2.hasEvents && self.phase == .open
        }
        if phase == .open, http2.isFinished {
            if let violation = http2.violation {
                fail(TransportError(violation: violation))
            } else {
                close()
            }
        }
    }

    /// Moves frames from HTTP/2 through TLS to the channel.
    ///
    /// - Returns: Whether everything was written; false when the socket accepts no more for now.
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

    /// Runs one step and writes the resulting ciphertext, which may be an alert.
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

    /// Stops reading, like a peer that hangs. The socket stays open.
    package func stopReading() { setReading(false) }

    private func setReading(_ reads: Bool) {
        context?.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    /// Sends everything submitted, as far as the socket accepts it now, and then neither reads nor writes. The socket stays
    /// open until `close`, or until the peer closes it.
    package func fallSilent() {
        guard phase == .open, let context else { return }
        _ = try? sendAll()
        context.flush()
        setReading(false)
        phase = .silent
    }

    // MARK: Closing

    private func fail(_ error: any Error) {
        let transportError: TransportError =
            switch error {
            case let error as TransportError: error
            case let error as TLSError:
                // With TLS 1.3 a server judges the client's certificate after the client's handshake is done.
                TransportError(
                    error, isHandshake: phase == .handshake || !tls.isServer && error.refusesCertificate)
            case let error as HTTP2Error: TransportError(error)
            default: TransportError(.closedByPeer, "\(error)")
            }
        fail(transportError)
    }

    /// Closes the connection. The delegate gets `error`.
    package func fail(_ error: TransportError) {
        guard phase != .closed else { return }
        closeError = closeError ?? error
        close()
    }

    /// Closes the connection: sends everything submitted as far as the socket accepts it now, then closes TLS and TCP.
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

    /// Closes the connection with TCP RST, without a TLS alert. The peer may lose what it has not read.
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
