import GatewayJSON
import NIOCore
import NIOHTTP1
import PayloadJSON

/// Limits how long the client of one connection may take for a request and for reading its answer, and notices that it has
/// disconnected.
///
/// Without it a client that sends a byte from time to time keeps its connection for as long as it likes, and a few
/// thousand of them close the control port to everybody. It is between the HTTP/1.1 decoder and the server.
final class ControlConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a client may take.
    struct Deadlines: Sendable {
        /// From the opening of the connection to the end of the first head.
        var firstHead = TimeAmount.seconds(10)
        /// From the end of an answer to the end of the next head, so that connections can be used again.
        var nextHead = TimeAmount.seconds(60)
        /// From the end of the head to the end of the body.
        var body = TimeAmount.seconds(20)
        /// From the end of the last answer of a connection until it is closed. The client reads the answer meanwhile;
        /// closing at once would reset the connection and lose it.
        var lingering = TimeAmount.seconds(2)
        /// How long a client may read nothing of an answer or a stream of events while more waits to be sent.
        var reading = TimeAmount.seconds(60)
    }

    /// How many bytes the system takes for a client that does not read, on Linux twice as many with its own data. The system
    /// reports the socket as writable again when about a third was sent. With a buffer that grows to 4 MB, a client
    /// that reads 20 KB a second would seem to read nothing for a minute.
    static let systemBuffer: SocketOptionValue = 128 << 10

    private let deadlines: Deadlines
    private var timer: Scheduled<Void>?
    /// Runs while the client does not read.
    private var readingTimer: Scheduled<Void>?
    /// Requests whose answers have not ended, oldest first.
    private var pending = CircularBuffer<Exchange>()
    private var isReadingBody = false
    /// The client of the newest request holds its body back until it is asked for it.
    private var holdsBodyBack = false
    private var hasAnswerBegun = false
    /// The last answer is written; what the client still sends is ignored.
    private var isLingering = false
    private var isInputClosed = false
    private var abandoned: (@Sendable () -> Void)?

    /// What the answer to a request depends on.
    private struct Exchange {
        /// A client of HTTP/1.0 or older knows no chunks.
        let isOld: Bool
        /// Whether the connection may be used again after the answer.
        var keepsAlive: Bool

        init(_ head: HTTPRequestHead) {
            isOld = head.version != .http1_1
            // `close` wins over `keep-alive` (RFC 9112, 9.3).
            let options = head.headers[canonicalForm: "connection"]
            keepsAlive = head.isKeepAlive && !options.contains { $0.lowercased() == "close" }
        }
    }

    init(_ deadlines: Deadlines = Deadlines()) { self.deadlines = deadlines }

    /// Asks for the body of the current request where its client holds it back (`Expect: 100-continue`, RFC 9110, 10.1.1).
    /// Called once the request is let in; one that is refused gets its answer and no such line.
    static func askForBody(_ channel: any Channel) {
        channel.eventLoop.execute {
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: ControlConnection.self)
            else { return }
            (context.handler as? ControlConnection)?.askForBody(context)
        }
    }

    private func askForBody(_ context: ChannelHandlerContext) {
        guard holdsBodyBack, pending.count == 1, !hasAnswerBegun, !isLingering else { return }
        holdsBodyBack = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Has `stop` called when the client of the current request does not wait for its answer any more: it has closed the
    /// connection, or its direction of it, or sends another request.
    static func whenAbandoned(_ channel: any Channel, _ stop: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            guard let connection = try? channel.pipeline.syncOperations.handler(type: ControlConnection.self),
                !connection.isInputClosed, connection.pending.count == 1
            else { return stop() }
            connection.abandoned = stop
        }
    }

    private func abandon() {
        abandoned?()
        abandoned = nil
    }

    // MARK: Life of the connection

    func handlerAdded(context: ChannelHandlerContext) {
        // Where the system has no such buffer, nothing depends on it.
        try? context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: ControlConnection.systemBuffer)
        if context.channel.isActive { setTimer(deadlines.firstHead, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        setTimer(deadlines.firstHead, context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        breakOff(context)
        context.fireChannelInactive()
    }

    /// The connection ends, perhaps within a body. Without an error the server would take what has come for the whole of it,
    /// and carry the request out. The error comes no sooner: the server closes the connection at once for it, and a client
    /// that still sends would lose its answer.
    private func breakOff(_ context: ChannelHandlerContext) {
        if isReadingBody, !pending.isEmpty { context.fireErrorCaught(HTTPParserError.invalidEOFState) }
    }

    private func end() {
        timer?.cancel()
        readingTimer?.cancel()
        isInputClosed = true
        abandon()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            abandon()
            breakOff(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Requests and answers

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing is read behind a request that is the last of its connection.
        guard !isLingering, isReadingBody || pending.last?.keepsAlive != false else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            abandon()
            let exchange = Exchange(head)
            pending.append(exchange)
            isReadingBody = true
            holdsBodyBack =
                !exchange.isOld && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            setTimer(deadlines.body, context)
            head.takeHostOfTarget()
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: holdsBodyBack = false
        case .end:
            isReadingBody = false
            holdsBodyBack = false
            timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isLingering else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            hasAnswerBegun = true
            complete(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            answerEnded(context)
        }
    }

    /// Says in the head of an answer whether the connection ends with it.
    private func complete(_ head: inout HTTPResponseHead) {
        guard var exchange = pending.first else { return }
        if exchange.isOld {
            // Such a client gets no chunks (RFC 9112, 6.1): where no length is known, the end of the connection is that of
            // the answer.
            head.version = .http1_0
            head.headers.remove(name: "transfer-encoding")
            if !head.headers.contains(name: "content-length"), head.status.mayHaveResponseBody {
                exchange.keepsAlive = false
            }
        }
        if isReadingBody, pending.count == 1 { exchange.keepsAlive = false }
        pending[pending.startIndex] = exchange
        if !exchange.keepsAlive {
            head.headers.replaceOrAdd(name: "connection", value: "close")
        } else if exchange.isOld {
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
    }

    private func answerEnded(_ context: ChannelHandlerContext) {
        hasAnswerBegun = false
        abandoned = nil
        // Without a request it is the answer to what could not be read as one.
        guard let exchange = pending.popFirst(), exchange.keepsAlive else { return linger(context) }
        if pending.isEmpty { setTimer(deadlines.nextHead, context) }
    }

    /// What is not HTTP is the last of its connection. The server answers it too, but without saying why.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isLingering, error is HTTPParserError || error is ByteToMessageDecoderError { return }
        guard let fault = error as? HTTPParserError, !hasAnswerBegun, pending.count == (isReadingBody ? 1 : 0) else {
            return context.fireErrorCaught(error)
        }
        answer(Problem(fault), context)
    }

    // MARK: Time

    private func setTimer(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: amount) { self.expired(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readingTimer?.cancel()
        readingTimer = nil
        if !context.channel.isWritable {
            readingTimer = context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.reading) {
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    private func expired(_ context: ChannelHandlerContext) {
        guard isReadingBody, pending.count == 1, !hasAnswerBegun, !isLingering else {
            return context.close(promise: nil)
        }
        answer(
            Problem(
                408, "The request came too slowly",
                "the body was not complete \(deadlines.body.nanoseconds / 1_000_000_000) seconds after the head; send the "
                    + "request again, and its body at once"), context)
    }

    /// The last answer of the connection, in the place of the server's.
    private func answer(_ problem: Problem, _ context: ChannelHandlerContext) {
        let body = ByteBuffer(bytes: problem.json.bytes)
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: problem.status),
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                "connection": "close",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
    }

    /// Closes after the last answer, as soon as the client had time to read it.
    private func linger(_ context: ChannelHandlerContext) {
        isLingering = true
        // For a client that reads slowly: the output is closed when the system has taken all of the answer.
        setTimer(deadlines.nextHead, context)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { self.setTimer(self.deadlines.lingering, context) }
        context.flush()
        context.close(mode: .output, promise: sent)
    }

    /// Puts a `ControlConnection` right behind the decoder. The server takes only handlers that come later, where the parts
    /// of a request have other types.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(ControlConnection(), position: .after(decoder))
            } catch {
                // Without the limits no connection is served.
                context.close(promise: nil)
            }
        }
    }
}

extension Problem {
    /// What cannot be read as a request of HTTP.
    fileprivate init(_ fault: HTTPParserError) {
        switch fault {
        case .invalidMethod:
            self.init(
                501, "Unknown method",
                "the request has a method that the gateway does not know; GET /api lists all paths with theirs")
        case .headerOverflow:
            self.init(
                400, "The head is too large",
                "the target and the headers of a request may have 16 KiB, and it may have 100 headers; send less")
        default: self = .badRequest("this is not a request of HTTP/1.1; the connection is closed")
        }
    }
}
