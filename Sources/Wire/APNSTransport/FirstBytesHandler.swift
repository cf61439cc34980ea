internal import NIOCore

/// Waits for the first bytes of a client, and then makes its `Connection`. TLS and HTTP/2 take about 100 KiB, which clients
/// that only connect must not cause.
final class FirstBytesHandler<Delegate: ConnectionDelegate>: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delegate: Delegate
    private let timeout: TimeAmount
    private let makeConnection: (Delegate) throws -> Connection<Delegate>
    private var timer: Scheduled<Void>?
    private var isDone = false

    init(
        delegate: Delegate, timeout: TimeAmount, makeConnection: @escaping (Delegate) throws -> Connection<Delegate>
    ) {
        self.delegate = delegate
        self.timeout = timeout
        self.makeConnection = makeConnection
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { setTimer(context) }
    }

    func channelActive(context: ChannelHandlerContext) { setTimer(context) }

    private func setTimer(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        do {
            let connection = try makeConnection(delegate)
            isDone = true
            timer?.cancel()
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(connection, position: .after(self))
            context.fireChannelRead(data)
            pipeline.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isDone { context.fireErrorCaught(error) } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        guard !isDone else { return }
        isDone = true
        timer?.cancel()
        delegate.clientLeft()
    }
}
