internal import APNSModel
internal import APNSTransport
internal import NIOCore
internal import TLSSession

/// One connection, as the last handler of its channel; with TLS, behind a `TLSHandler`. Use it only on its event loop.
final class RedisConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = Result<[RedisValue], RedisError>

    private let address: RedisAddress
    /// Succeeds when the TLS handshake is done; without TLS, at once.
    let ready: EventLoopFuture<Void>
    private var reader: RedisReader
    private var pipeline: RedisPipeline<(Answer) -> Void>
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var timerTime = MonotonicTime.zero
    /// Why the connection ended, or is about to.
    private(set) var lastError: RedisError?
    /// Called once, when the connection ends.
    var onClose: ((RedisError) -> Void)?
    private(set) var isOpen = true

    init(_ configuration: RedisConfiguration, address: RedisAddress, ready: EventLoopFuture<Void>) {
        self.address = address
        self.ready = ready
        reader = RedisReader(limits: configuration.replies)
        pipeline = RedisPipeline(
            maximumRequests: configuration.maximumRequests, maximumBytes: configuration.maximumRequestBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(RedisError(.connectionLost, "the connection to \(address) ended"))
        self.context = nil
    }

    // MARK: Requests

    /// Sends commands, whose replies come together.
    func send(_ commands: [RedisCommand], deadline: MonotonicTime, _ answer: @escaping (Answer) -> Void) {
        guard isOpen, let context else {
            return answer(.failure(lastError ?? RedisError(.connectionLost, "the connection to \(address) ended")))
        }
        let byteCount = commands.reduce(0) { $0 + $1.byteCount + 64 }
        if let refusal = pipeline.refusal(byteCount: byteCount) { return answer(.failure(refusal)) }
        var buffer = context.channel.allocator.buffer(capacity: byteCount)
        for command in commands { command.write(into: &buffer) }
        pipeline.sent(answer, count: commands.count, byteCount: byteCount, deadline: deadline)
        setTimer(deadline)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    // MARK: Replies

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        do throws(RedisError) {
            let fed: Result<Void, RedisError> = buffer.withUnsafeReadableBytes { bytes in
                do throws(RedisError) {
                    try reader.receive(bytes)
                    return .success(())
                } catch { return .failure(error) }
            }
            try fed.get()
            while isOpen, let reply = try reader.next() { receive(reply) }
        } catch {
            fail(error)
        }
    }

    private func receive(_ reply: RedisValue) {
        if case .failure(let error) = reply, error.endsConnection { lastError = error }
        switch pipeline.received(reply) {
        case .nothing: break
        case .answer(let answer, let replies): answer(.success(replies))
        case .unexpected:
            // A server that refuses a client says why without being asked, and closes the connection.
            if case .failure(let error) = reply { return fail(error) }
            fail(RedisError(.protocolViolation, "\(address) sent a reply that nothing asked for"))
        }
        if let lastError { fail(lastError) }
    }

    // MARK: Time

    /// One timer, for the request that is overdue first. Most requests are answered long before.
    private func setTimer(_ deadline: MonotonicTime) {
        guard let context, timer == nil || deadline < timerTime else { return }
        timer?.cancel()
        timerTime = deadline
        let time = NIODeadline.uptimeNanoseconds(UInt64(max(deadline.nanoseconds, 0)))
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in self?.checkDeadline() }
    }

    private func checkDeadline() {
        timer = nil
        guard isOpen, let deadline = pipeline.deadline else { return }
        guard deadline <= MonotonicTime.now else { return setTimer(deadline) }
        fail(RedisError(.timedOut, "\(address) does not answer in time"))
    }

    // MARK: End

    func channelInactive(context: ChannelHandlerContext) {
        end(RedisError(.connectionLost, "\(address) closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(RedisError(connection: error, to: address))
    }

    /// Closes the connection. All requests that wait get `error`.
    func fail(_ error: RedisError) {
        guard isOpen else { return }
        let channel = context?.channel
        end(error)
        channel?.close(promise: nil)
    }

    private func end(_ error: RedisError) {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        let error = lastError ?? error
        lastError = error
        var lost = error
        lost.mayHaveRun = true
        for answer in pipeline.end() { answer(.failure(lost)) }
        onClose?(error)
        onClose = nil
    }
}
