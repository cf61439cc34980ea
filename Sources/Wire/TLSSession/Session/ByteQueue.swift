internal import COpenSSL

/// A queue of bytes for OpenSSL to read or write.
///
/// The memory does not shrink: it has a page, or at most twice the most bytes that the queue held. It replaces the memory
/// BIO of OpenSSL, which clears the memory for each write before it writes there.
struct ByteQueue: ~Copyable {
    private let contents: UnsafeMutablePointer<Contents>

    init() {
        contents = .allocate(capacity: 1)
        contents.initialize(to: Contents())
    }

    deinit { contents.deinitialize(count: 1).deallocate() }

    var count: Int { contents.pointee.count }

    func append(_ bytes: UnsafeRawBufferPointer) { contents.pointee.append(bytes) }

    /// Moves bytes into `target`, as many as there are and fit.
    func take(into target: UnsafeMutableRawBufferPointer) -> Int { contents.pointee.take(into: target) }

    /// No more bytes will be appended. From now on a read of the empty queue means the end of the stream, not "wait".
    func end() { contents.pointee.isEnded = true }

    /// A BIO that reads and writes this queue; nil when memory is short. The queue must outlive it.
    func makeBIO() -> OpaquePointer? {
        guard let method = ByteQueue.method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, contents)
        BIO_set_init(bio, 1)
        return bio
    }

    /// Made once and never freed. nonisolated(unsafe): it does not change after that.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "byte queue") else { return nil }
        BIO_meth_set_write_ex(method) { bio, bytes, count, written in
            Contents.of(bio).pointee.append(UnsafeRawBufferPointer(start: bytes, count: count))
            written?.pointee = count
            return 1
        }
        BIO_meth_set_read_ex(method) { bio, bytes, count, read in
            let contents = Contents.of(bio)
            let taken = contents.pointee.take(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
            read?.pointee = taken
            let mayCome = taken == 0 && !contents.pointee.isEnded
            COpenSSL_setReadAgain(bio, mayCome ? 1 : 0)
            return taken > 0 ? 1 : mayCome ? -1 : 0
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            let contents = Contents.of(bio)
            return switch command {
            case BIO_CTRL_PENDING: contents.pointee.count
            case BIO_CTRL_EOF: contents.pointee.isEnded && contents.pointee.count == 0 ? 1 : 0
            case BIO_CTRL_FLUSH: 1  // everything written is in the queue
            default: 0
            }
        }
        return method
    }()
}

/// A value behind a pointer and not a class, because a class checks exclusive access at run time.
private struct Contents: ~Copyable {
    var isEnded = false
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0

    deinit { memory.deallocate() }

    /// The contents of a BIO's queue.
    static func of(_ bio: OpaquePointer?) -> UnsafeMutablePointer<Contents> {
        BIO_get_data(bio)!.assumingMemoryBound(to: Contents.self)
    }

    var count: Int { end - start }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if end + bytes.count > memory.count { reserve(bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// Moves the remaining bytes to the front, in larger memory where the space is too small.
    private mutating func reserve(_ added: Int) {
        let left = UnsafeRawBufferPointer(rebasing: memory[start..<end])
        if left.count + added <= memory.count {
            memory.copyMemory(from: left)
        } else {
            let capacity = max(left.count + added, 2 * memory.count, 4096)
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: left)
            memory.deallocate()
            memory = larger
        }
        end = left.count
        start = 0
    }

    mutating func take(into target: UnsafeMutableRawBufferPointer) -> Int {
        let taken = min(count, target.count)
        guard taken > 0 else { return 0 }
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<(start + taken)]))
        start += taken
        if start == end { (start, end) = (0, 0) }
        return taken
    }
}
