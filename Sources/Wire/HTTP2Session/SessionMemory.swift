import CNghttp2

/// The allocator of one nghttp2 session. It reuses blocks of equal size without calling `malloc`.
///
/// nghttp2 allocates several blocks for a notification and frees them soon after, which takes 6 % of the sender's
/// instructions with `malloc`. The memory is freed with the session, so a session keeps its highest use.
///
/// With `PLAIN_MEMORY`, which `tools/test sanitize` and `tools/check-threads` set, each block comes from `malloc`, so that a sanitizer checks it.
struct SessionMemory: ~Copyable {
    private let pool: UnsafeMutablePointer<Pool>

    init() {
        pool = .allocate(capacity: 1)
        pool.initialize(to: Pool())
    }

    deinit { pool.deinitialize(count: 1).deallocate() }

    /// Blocks of the same pool for other uses. Valid while the `SessionMemory` exists.
    struct Blocks {
        fileprivate let pool: UnsafeMutablePointer<Pool>

        func take(_ bytes: Int) -> UnsafeMutableRawPointer? { pool.pointee.take(bytes) }
        func giveBack(_ block: UnsafeMutableRawPointer) { pool.pointee.giveBack(block) }
    }

    var blocks: Blocks { Blocks(pool: pool) }

    /// The functions for nghttp2. Valid while the `SessionMemory` exists.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: pool, malloc: { Pool.of($1).pointee.take($0) },
            free: { if let block = $0 { Pool.of($1).pointee.giveBack(block) } },
            calloc: { count, size, pool in
                let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
                guard !overflow, let block = Pool.of(pool).pointee.take(bytes) else { return nil }
                block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
                return block
            }, realloc: { Pool.of($2).pointee.resize($0, to: $1) })
    }
}

/// A header of 16 bytes before each block has its size; 16 keeps the blocks aligned.
private struct Pool: ~Copyable {
    private static let step = 32
    private static let classes = 32
    private static let header = 16
    private static let firstChunk = 1024
    private static let largestChunk = 65536
    /// A session with at most this many blocks gets them from `malloc`, so that thousands of idle connections do not hold a
    /// chunk each.
    private static let quiet = 256

    /// For each size in steps, the first free block. A free block contains the address of the next one.
    private let free: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private var chunks: [UnsafeMutableRawPointer] = []
    private var next: UnsafeMutableRawPointer?
    private var left = 0
    private var inUse = 0
    private var chunkBytes = firstChunk

    init() {
        free = .allocate(capacity: Pool.classes + 1)
        free.initialize(repeating: nil, count: Pool.classes + 1)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        free.deallocate()
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Pool> {
        context!.assumingMemoryBound(to: Pool.self)
    }

    mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let size = max(1, (bytes + Pool.step - 1) / Pool.step)
        #if PLAIN_MEMORY
            return Pool.large(bytes)
        #else
            inUse += 1
            guard size <= Pool.classes else { return Pool.large(bytes) }
            if let block = free[size] {
                free[size] = block.load(as: UnsafeMutableRawPointer?.self)
                return block
            }
            return inUse > Pool.quiet ? carve(size) : Pool.large(bytes)
        #endif
    }

    mutating func giveBack(_ block: UnsafeMutableRawPointer) {
        let start = block - Pool.header
        let size = start.load(as: Int.self)
        inUse -= 1
        guard size <= Pool.classes else { return start.deallocate() }
        block.storeBytes(of: free[size], as: UnsafeMutableRawPointer?.self)
        free[size] = block
    }

    mutating func resize(_ block: UnsafeMutableRawPointer?, to bytes: Int) -> UnsafeMutableRawPointer? {
        guard let block else { return take(bytes) }
        let size = (block - Pool.header).load(as: Int.self)
        let room = size <= Pool.classes ? size * Pool.step : size
        guard bytes > room else { return block }
        guard let larger = take(bytes) else { return nil }
        larger.copyMemory(from: block, byteCount: room)
        giveBack(block)
        return larger
    }

    /// A block from `malloc`. Its header has its size in bytes, which is larger than the number of classes.
    private static func large(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let room = max(bytes, classes + 1)
        let start = UnsafeMutableRawPointer.allocate(byteCount: room + header, alignment: header)
        start.storeBytes(of: room, as: Int.self)
        return start + header
    }

    private mutating func carve(_ size: Int) -> UnsafeMutableRawPointer? {
        let bytes = size * Pool.step + Pool.header
        if left < bytes {
            left = max(chunkBytes, bytes)
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: left, alignment: Pool.header)
            chunks.append(chunk)
            next = chunk
            chunkBytes = min(2 * chunkBytes, Pool.largestChunk)
        }
        guard let start = next else { return nil }
        next = start + bytes
        left -= bytes
        start.storeBytes(of: size, as: Int.self)
        return start + Pool.header
    }
}
