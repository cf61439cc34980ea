internal import NIOCore
internal import TLSSession

/// Asks the proxy at the other end of its channel for a tunnel, and then leaves the channel to another handler.
final class ProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: TransportProxy
    private let target: String
    private let deadline: NIODeadline
    /// Adds the handler of the tunnel to the channel.
    private let open: (any Channel) throws -> Void
    /// Succeeds when the tunnel is open; fails with a `TransportError`, or with the error of `open`.
    private let promise: EventLoopPromise<Void>
    private var answer = ProxyAnswer()
    private var timer: Scheduled<Void>?
    private var isDone = false

    init(
        _ proxy: TransportProxy, target: String, deadline: NIODeadline, promise: EventLoopPromise<Void>,
        open: @escaping (any Channel) throws -> Void
    ) {
        self.proxy = proxy
        self.target = target
        self.deadline = deadline
        self.promise = promise
        self.open = open
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.fail(context, TransportError(.connectFailed, self.proxy.sentence("gave no answer in time")))
        }
        let request = proxy.request(for: target)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        switch answer.receive(&bytes) {
        case .incomplete: break
        case .failed(let failure): fail(context, proxy.error(failure, target: target))
        case .open:
            do {
                try open(context.channel)
            } catch {
                return fail(context, error)
            }
            isDone = true
            timer?.cancel()
            promise.succeed()
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDone else { return context.fireErrorCaught(error) }
        if let error = error as? TLSError {
            return fail(
                context,
                TransportError(.connectFailed, "the proxy \(proxy.name): \(error)", isPermanent: error.isPermanent))
        }
        fail(
            context,
            TransportError(
                .connectFailed, proxy.sentence("broke the connection: \(TransportError.description(of: error))")))
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, TransportError(.connectFailed, proxy.sentence("closed the connection before it answered")))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(context, TransportError(.connectFailed, proxy.sentence("closed the connection before it answered")))
    }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        guard !isDone else { return }
        isDone = true
        timer?.cancel()
        promise.fail(error)
        context.close(promise: nil)
    }
}

extension TransportProxy {
    func sentence(_ words: String) -> String { "the proxy \(name) \(words)" }

    /// The error for an answer that opens no tunnel.
    func error(_ failure: ProxyAnswer.Failure, target: String) -> TransportError {
        switch failure {
        // tinyproxy answers 401 to wrong credentials, and 407 to none.
        case .refused(let status, _, let schemes) where status == 407 || status == 401:
            let known =
                authorization == nil
                ? "wants a user and a password (status \(status)); give them with its address"
                : "does not accept the user and the password (status \(status))"
            let offer =
                schemes.isEmpty || schemes.contains("basic")
                ? "" : "; it offers \(schemes.joined(separator: ", ")), and only basic is supported"
            return TransportError(.connectFailed, sentence(known + offer), isPermanent: true)
        case .refused(let status, let reason, _):
            let text = reason.isEmpty ? "" : " \(reason)"
            // From 500 on the proxy tried and failed; below it refuses.
            return TransportError(
                .connectFailed, sentence("opens no connection to \(target): it answered \(status)\(text)"),
                isPermanent: status < 500)
        case .notHTTP:
            return TransportError(
                .connectFailed, sentence("does not answer like an HTTP proxy; check its address"), isPermanent: true)
        case .tooLong:
            return TransportError(
                .connectFailed, sentence("answered with a head of more than \(ProxyAnswer.maximumBytes) bytes"))
        }
    }
}
