internal import COpenSSL

/// Owns bytes on their way to or from OpenSSL: put in at the end, taken from the start.
///
/// The memory keeps its largest size: a page, or at most twice the most bytes that the queue held. OpenSSL's own memory
/// BIO clears the room for each write before it writes there.
struct ByteQueue: ~Copyable {
    private let contents: UnsafeMutablePointer<Contents>

    init() {
        contents = .allocate(capacity: 1)
        contents.initialize(to: Contents())
    }

    deinit { contents.deinitialize(count: 1).deallocate() }

    var count: Int { contents.pointee.count }

    func append(_ bytes: UnsafeRawBufferPointer) { contents.pointee.append(bytes) }

    /// Moves as many bytes into `target` as there are and fit.
    func take(into target: UnsafeMutableRawBufferPointer) -> Int { contents.pointee.take(into: target) }

    /// Nothing is put in any more: from now on a read of the empty queue is the end of the stream, and no call to wait.
    func end() { contents.pointee.isEnded = true }

    /// A BIO that reads and writes this queue, which has to outlive it; nil when there is no memory for one.
    func makeBIO() -> OpaquePointer? {
        guard let method = ByteQueue.method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, contents)
        BIO_set_init(bio, 1)
        return bio
    }

    /// Made once and never freed. nonisolated(unsafe): nothing changes it after that.
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
            case BIO_CTRL_FLUSH: 1  // all that was written is in the queue
            default: 0
            }
        }
        return method
    }()
}

/// A value behind a pointer and not a class, because a class would check at each access that nobody else is at it.
private struct Contents: ~Copyable {
    var isEnded = false
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0

    deinit { memory.deallocate() }

    /// The contents of the queue that a BIO was made for.
    static func of(_ bio: OpaquePointer?) -> UnsafeMutablePointer<Contents> {
        BIO_get_data(bio)!.assumingMemoryBound(to: Contents.self)
    }

    var count: Int { end - start }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if end + bytes.count > memory.count { makeRoom(for: bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// Moves what is left to the front, of larger memory when there is not room enough.
    private mutating func makeRoom(for added: Int) {
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
