internal import NIOCore

/// Stands in for a server's connection until its client says something: TLS and HTTP/2 take some 100 KiB, and whoever only
/// connects shall not get them.
final class FirstBytes<Delegate: ConnectionDelegate>: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delegate: Delegate
    private let timeout: TimeAmount
    private let makeConnection: (Delegate) throws -> Connection<Delegate>
    private var timer: Scheduled<Void>?
    private var isOver = false

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
        guard !isOver else { return context.fireChannelRead(data) }
        do {
            let connection = try makeConnection(delegate)
            isOver = true
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
        if isOver { context.fireErrorCaught(error) } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        delegate.clientLeft()
    }
}
