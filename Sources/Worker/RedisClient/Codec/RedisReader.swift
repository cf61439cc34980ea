internal import CHiredis

/// Turns bytes of a server into replies, with hiredis.
///
/// Feed it with each read, then call `next` until it returns nil. An error is final, since nothing says where the next reply
/// begins.
package struct RedisReader: ~Copyable {
    package struct Limits: Hashable, Sendable {
        /// The most bytes of one reply.
        package var replyBytes = 64 << 20
        /// The most elements of one array.
        package var elements = 1 << 20

        package init() {}
    }

    private let handle: ReaderHandle
    private let limits: Limits
    private var failure: RedisError?

    package init(limits: Limits = Limits()) {
        handle = ReaderHandle(ReplySink(maximumElements: limits.elements))
        self.limits = limits
    }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(RedisError) {
        if let failure { throw failure }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let status = redisReaderFeed(handle.raw, start.assumingMemoryBound(to: CChar.self), bytes.count)
        guard status == REDIS_OK else { throw fail(RedisError(.protocolViolation, "no memory for the replies")) }
    }

    /// The next complete reply; nil when it is not there yet.
    package mutating func next() throws(RedisError) -> RedisValue? {
        if let failure { throw failure }
        var reply: UnsafeMutableRawPointer?
        let status = redisReaderGetReply(handle.raw, &reply)
        let sink = handle.sink
        guard status == REDIS_OK else {
            if let count = sink.refusedElements {
                throw fail(
                    RedisError(.replyTooLarge, "a reply has \(count) elements; \(limits.elements) are the most"))
            }
            throw fail(RedisError(reader: String(cString: CHiredis_error(handle.raw))))
        }
        guard reply == nil else { return sink.takeValue() }
        let count = sink.byteCount + CHiredis_unread(handle.raw)
        guard count <= limits.replyBytes else {
            throw fail(
                RedisError(.replyTooLarge, "a reply has more than \(limits.replyBytes) bytes; ask for fewer entries"))
        }
        return nil
    }

    private mutating func fail(_ error: RedisError) -> RedisError {
        failure = error
        return error
    }
}

private struct ReaderHandle: ~Copyable {
    let raw: UnsafeMutablePointer<redisReader>
    let sink: ReplySink
    private let callbacks: UnsafeMutablePointer<CHiredis_sink>

    init(_ sink: ReplySink) {
        let callbacks = UnsafeMutablePointer<CHiredis_sink>.allocate(capacity: 1)
        callbacks.initialize(
            to: CHiredis_sink(
                context: sink.context,
                text: { ReplySink.from($0).text(kind: $1, UnsafeRawBufferPointer(start: $2, count: $3)) },
                integer: { ReplySink.from($0).integer(Int64($1)) },
                null: { ReplySink.from($0).null() },
                array: { ReplySink.from($0).array($1) }))
        guard let raw = CHiredis_make_reader(callbacks) else { fatalError("no memory for a reader") }
        self.raw = raw
        self.sink = sink
        self.callbacks = callbacks
    }

    deinit {
        redisReaderFree(raw)
        callbacks.deallocate()
    }
}

/// What the callbacks of a reader write to: the parts of the reply that is being read, an array before its elements.
private final class ReplySink {
    enum Token {
        case value(RedisValue)
        case array(Int)
    }

    private(set) var tokens: [Token] = []
    private(set) var byteCount = 0
    private(set) var refusedElements: Int?
    private let maximumElements: Int

    init(maximumElements: Int) { self.maximumElements = maximumElements }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer?) -> ReplySink {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }

    func text(kind: Int32, _ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        switch kind {
        case REDIS_REPLY_STATUS: tokens.append(.value(.status(String(decoding: bytes, as: UTF8.self))))
        case REDIS_REPLY_ERROR:
            tokens.append(.value(.failure(RedisError(reply: String(decoding: bytes, as: UTF8.self)))))
        default: tokens.append(.value(.text(Array(bytes))))
        }
    }

    func integer(_ value: Int64) { tokens.append(.value(.integer(value))) }

    func null() { tokens.append(.value(.null)) }

    func array(_ count: Int) -> Bool {
        guard count <= maximumElements else {
            refusedElements = count
            return false
        }
        byteCount += 16
        tokens.append(.array(count))
        return true
    }

    /// The complete reply. The next one begins with no parts.
    func takeValue() -> RedisValue {
        var index = 0
        let value = value(at: &index)
        tokens.removeAll(keepingCapacity: tokens.count <= 4096)
        byteCount = 0
        return value
    }

    private func value(at index: inout Int) -> RedisValue {
        let token = tokens[index]
        index += 1
        switch token {
        case .value(let value): return value
        case .array(let count):
            var values: [RedisValue] = []
            values.reserveCapacity(count)
            for _ in 0..<count { values.append(value(at: &index)) }
            return .array(values)
        }
    }
}
