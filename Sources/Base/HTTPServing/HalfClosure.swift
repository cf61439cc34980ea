import NIOCore

/// Lets a client that has closed its direction of a connection get the whole of its answer.
///
/// Where the client has closed its direction, NIO closes the connection as soon as the server closes the other one, and drops
/// what waits to be sent. With this handler before all others the server's direction is closed once everything is sent. The timers
/// of the server limit how long that takes.
final class HalfClosure: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isInputClosed = false
    private var isServerStopping = false
    /// The server has closed its direction, and something waits to be sent.
    private var isWaiting = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { isInputClosed = true }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .output where isInputClosed && !isServerStopping: closeOutput(context, promise)
        case .input:
            // The server closes the input when it stops. Then it waits for answers that are not complete, and for no slow client.
            isServerStopping = true
            context.close(mode: isWaiting ? .all : .input, promise: promise)
        case .output, .all: context.close(mode: mode, promise: promise)
        }
    }

    private func closeOutput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isWaiting = true
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: context.close(mode: .output, promise: promise)
            case .failure(let error): promise?.fail(error)
            }
        }
        // No bytes: they count as sent when all before them are.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    }
}
