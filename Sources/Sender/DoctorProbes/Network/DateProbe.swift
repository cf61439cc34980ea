import APNSModel
import APNSProvider
import APNSTransport
import Doctor
import NIOCore
import NIOPosix
import SystemFiles
import TLSSession

/// Asks an HTTPS server for the head of its page, for the Date in it.
enum DateProbe {
    /// Why there is no date.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Blocks the thread.
    static func evidence(
        server: APNSGateway, tls: TLSContext, proxy: TransportProxy?, timeout: TimeAmount
    ) throws -> DateEvidence {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let loop = group.next()
        let answered = loop.makePromise(of: DateEvidence.Answer.self)
        let request = "HEAD / HTTP/1.1\r\nHost: \(server.host)\r\nUser-Agent: apns-doctor\r\nConnection: close\r\n\r\n"
        loop.scheduleTask(in: timeout + timeout) { answered.fail(Failure(description: "it gave no answer in time")) }
        let endpoint = TransportEndpoint(host: server.host, port: server.port, tls: tls, proxy: proxy)
        TransportClient.openChannel(to: endpoint, timeout: timeout, on: loop) { channel in
            let ready = loop.makePromise(of: Void.self)
            ready.futureResult.cascadeFailure(to: answered)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(TLSHandler(TLSSession(client: tls, serverName: server.host), ready: ready))
            try pipeline.addHandler(DateHandler(request: request, answered: answered))
        }.cascadeFailure(to: answered)
        do {
            return DateEvidence(host: server.host, answer: try answered.futureResult.wait())
        } catch let error as TLSError where error.code == .certificateExpired || error.code == .certificateNotYetValid {
            return DateEvidence(host: server.host, answer: .certificateOutOfTime(error.detail))
        }
    }
}

/// Sends the request, and reads the head of the answer.
private final class DateHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let maximumBytes = 64 << 10

    private let request: String
    private let answered: EventLoopPromise<DateEvidence.Answer>
    private var head: [UInt8] = []
    private var sent = WallClock.milliseconds

    init(request: String, answered: EventLoopPromise<DateEvidence.Answer>) {
        self.request = request
        self.answered = answered
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request))).assumeIsolated().whenSuccess {
            self.sent = WallClock.milliseconds
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += unwrapInboundIn(data).readableBytesView
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if head.count > DateHandler.maximumBytes { fail(context, "its head is too long") }
            return
        }
        let received = WallClock.milliseconds
        let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let field = lines.dropFirst().first { $0.prefix(5).lowercased() == "date:" }
        guard let field, let server = HTTPDate.seconds(field.dropFirst(5).drop { $0 == " " }) else {
            return fail(context, "its answer has no Date")
        }
        answered.succeed(
            .date(
                server: server, machine: (sent + received) / 2000,
                uncertainty: 1 + max(0, received - sent + 1999) / 2000))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answered.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, "it closed the connection before it answered")
    }

    private func fail(_ context: ChannelHandlerContext, _ why: String) {
        answered.fail(DateProbe.Failure(description: why))
        context.close(promise: nil)
    }
}
