package import NIOCore
package import TLSSession

/// TLS as a channel handler, for client or server: ciphertext towards the socket, plaintext towards the next handler.
package final class TLSHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private typealias Write = (plaintext: ByteBuffer, promise: EventLoopPromise<Void>?)

    private enum State {
        /// `waiting` has the writes from before the end of the handshake.
        case handshake(waiting: [Write])
        case open
        /// Nothing is sent or passed on any more.
        case failed
    }

    private var tls: TLSSession
    /// Succeeds when the handshake is done; fails with the error that ends it.
    private let ready: EventLoopPromise<Void>
    private var state = State.handshake(waiting: [])

    private static let recordBytes = 16 << 10

    package init(_ tls: consuming TLSSession, ready: EventLoopPromise<Void>) {
        self.tls = tls
        self.ready = ready
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { step(context) { try self.continueSession(context) } }
    }

    package func channelActive(context: ChannelHandlerContext) {
        step(context) { try self.continueSession(context) }
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let ciphertext = unwrapInboundIn(data)
        step(context) {
            try ciphertext.withUnsafeReadableBytes { try self.tls.receive($0) }
            try self.continueSession(context)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        tls.receiveEndOfStream()
        step(context) { try self.continueSession(context) }
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        let former = state
        state = .failed
        endHandshake(former, ChannelError.eof)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let plaintext = unwrapOutboundIn(data)
        switch state {
        case .handshake(let waiting): state = .handshake(waiting: waiting + [(plaintext: plaintext, promise: promise)])
        case .open: step(context) { try self.encrypt(plaintext, context, promise) }
        case .failed: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all {
            tls.close()
            send(context, nil)
            context.flush()
        }
        context.close(mode: mode, promise: promise)
    }

    /// Continues the handshake, and passes on the plaintext that came after it.
    private func continueSession(_ context: ChannelHandlerContext) throws {
        guard try tls.handshake() == .done else { return }
        if case .handshake(let waiting) = state {
            state = .open
            ready.succeed()
            try encryptAll(waiting, context)
        }
        while true {
            var plaintext = context.channel.allocator.buffer(capacity: TLSHandler.recordBytes)
            var isClosed = false
            let count = try plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: TLSHandler.recordBytes) {
                switch try self.tls.read(into: $0) {
                case .bytes(let count): return count
                case .wantsMore: return 0
                case .closed:
                    isClosed = true
                    return 0
                }
            }
            guard count > 0 else {
                if isClosed { context.close(promise: nil) }
                return
            }
            context.fireChannelRead(wrapInboundOut(plaintext))
        }
    }

    private func encryptAll(_ writes: [Write], _ context: ChannelHandlerContext) throws {
        var writes = writes[...]
        do {
            while let write = writes.popFirst() { try encrypt(write.plaintext, context, write.promise) }
        } catch {
            for write in writes { write.promise?.fail(error) }
            throw error
        }
    }

    private func encrypt(
        _ plaintext: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) throws {
        do {
            try plaintext.withUnsafeReadableBytes { try tls.write($0) }
        } catch {
            promise?.fail(error)
            throw error
        }
        send(context, promise)
    }

    private func send(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let pending = tls.pendingCiphertextBytes
        guard pending > 0 else {
            promise?.succeed()
            return
        }
        var ciphertext = context.channel.allocator.buffer(capacity: pending)
        ciphertext.writeWithUnsafeMutableBytes(minimumWritableBytes: pending) { tls.takeCiphertext(into: $0) }
        context.write(wrapOutboundOut(ciphertext), promise: promise)
    }

    /// Runs `body` and sends the resulting ciphertext; after an error too, since it holds the alert with the reason for the peer.
    private func step(_ context: ChannelHandlerContext, _ body: () throws -> Void) {
        if case .failed = state { return }
        do {
            try body()
            send(context, nil)
            context.flush()
        } catch {
            let former = state
            state = .failed
            send(context, nil)
            context.flush()
            endHandshake(former, error)
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    private func endHandshake(_ former: State, _ error: any Error) {
        guard case .handshake(let waiting) = former else { return }
        ready.fail(error)
        for write in waiting { write.promise?.fail(error) }
    }
}
