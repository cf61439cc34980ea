package import NIOCore
package import TLSSession

/// TLS as a channel handler, for client or server: ciphertext towards the socket, plaintext towards the next handler.
package final class TLSHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private var tls: TLSSession
    /// Succeeds when the handshake is done; fails with the error that ends it.
    private let ready: EventLoopPromise<Void>
    /// Writes from before the end of the handshake.
    private var waiting: [(plaintext: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var isReady = false
    private var isFailed = false

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

    package func handlerRemoved(context: ChannelHandlerContext) { end(ChannelError.eof) }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let plaintext = unwrapOutboundIn(data)
        guard isReady else { return waiting.append((plaintext, promise)) }
        guard !isFailed else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        step(context) { try self.encrypt(plaintext, context, promise) }
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
        if !isReady {
            isReady = true
            ready.succeed()
            for (plaintext, promise) in waiting { try encrypt(plaintext, context, promise) }
            waiting = []
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
        guard !isFailed else { return }
        do {
            try body()
            send(context, nil)
            context.flush()
        } catch {
            isFailed = true
            send(context, nil)
            context.flush()
            end(error)
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    private func end(_ error: any Error) {
        if !isReady { ready.fail(error) }
        isReady = true
        for (_, promise) in waiting { promise?.fail(error) }
        waiting = []
    }
}
