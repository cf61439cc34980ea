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
        handle = ReaderHandle(maximumElements: limits.elements)
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
        let partial = handle.reply
        guard status == REDIS_OK else {
            if let count = partial.pointee.refusedElements {
                throw fail(
                    RedisError(.replyTooLarge, "a reply has \(count) elements; \(limits.elements) are the most"))
            }
            if partial.pointee.isTooDeep {
                throw fail(RedisError(.notRedis, "a reply has too many arrays in each other"))
            }
            throw fail(RedisError(reader: String(cString: CHiredis_error(handle.raw))))
        }
        guard reply == nil else {
            guard let value = partial.pointee.take() else {
                throw fail(RedisError(.protocolViolation, "a reply has a type that was not asked for"))
            }
            return value
        }
        let count = partial.pointee.byteCount + CHiredis_unread(handle.raw)
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

/// The reader, and the reply that its callbacks write. They get the address of the reply, because each access to a variable of an object is
/// checked for exclusivity at run time.
private struct ReaderHandle: ~Copyable {
    let raw: UnsafeMutablePointer<redisReader>
    let reply: UnsafeMutablePointer<PartialReply>
    private let callbacks: UnsafeMutablePointer<CHiredis_sink>

    init(maximumElements: Int) {
        reply = .allocate(capacity: 1)
        reply.initialize(to: PartialReply(maximumElements: maximumElements))
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(
            to: CHiredis_sink(
                context: reply,
                text: { PartialReply.at($0).pointee.text(kind: $1, UnsafeRawBufferPointer(start: $2, count: $3)) },
                integer: { PartialReply.at($0).pointee.add(.integer(Int64($1))) },
                null: { PartialReply.at($0).pointee.add(.null) },
                array: { PartialReply.at($0).pointee.array($1) }))
        guard let raw = CHiredis_make_reader(callbacks) else { fatalError("no memory for a reader") }
        self.raw = raw
    }

    deinit {
        redisReaderFree(raw)
        callbacks.deallocate()
        reply.deinitialize(count: 1)
        reply.deallocate()
    }
}

/// What was read of a reply so far.
private struct PartialReply {
    /// An array whose elements are being read.
    private struct OpenArray {
        var values: [RedisValue] = []
        let count: Int
    }

    /// The outermost first.
    private var open: [OpenArray] = []
    private var value: RedisValue?
    /// The last text of one byte. Mostly the next one is the same: the name of the field with the body of a job.
    private var lastByte: [UInt8] = []
    private(set) var byteCount = 0
    private(set) var refusedElements: Int?
    private(set) var isTooDeep = false
    private let maximumElements: Int
    /// A server may announce more than it sends.
    private static let elementsToExpect = 4096
    /// No reply to a command of the queue has so many arrays in each other.
    private static let maximumDepth = 8

    init(maximumElements: Int) { self.maximumElements = maximumElements }

    static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PartialReply> {
        context!.assumingMemoryBound(to: PartialReply.self)
    }

    mutating func text(kind: Int32, _ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        switch kind {
        case REDIS_REPLY_STATUS: add(.status(String(decoding: bytes, as: UTF8.self)))
        case REDIS_REPLY_ERROR: add(.failure(RedisError(reply: String(decoding: bytes, as: UTF8.self))))
        default:
            guard bytes.count == 1 else { return add(.text(Array(bytes))) }
            if lastByte.first != bytes[0] { lastByte = Array(bytes) }
            add(.text(lastByte))
        }
    }

    mutating func array(_ count: Int) -> Bool {
        guard count <= maximumElements else {
            refusedElements = count
            return false
        }
        guard open.count < PartialReply.maximumDepth else {
            isTooDeep = true
            return false
        }
        let expected = min(count, PartialReply.elementsToExpect)
        byteCount += 16 + expected * MemoryLayout<RedisValue>.stride
        guard count > 0 else {
            add(.array([]))
            return true
        }
        var array = OpenArray(count: count)
        array.values.reserveCapacity(expected)
        open.append(array)
        return true
    }

    mutating func add(_ value: RedisValue) {
        var value = value
        while let last = open.indices.last {
            open[last].values.append(value)
            guard open[last].values.count == open[last].count else { return }
            value = .array(open.removeLast().values)
        }
        self.value = value
    }

    /// The complete reply; nil where it is not complete. The next one begins with nothing.
    mutating func take() -> RedisValue? {
        guard open.isEmpty else { return nil }
        byteCount = 0
        return value.take()
    }
}
