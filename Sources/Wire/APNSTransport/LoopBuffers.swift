internal import NIOCore
internal import NIOPosix

/// How many bytes are decrypted before HTTP/2 handles them, and how many bytes of frames one write may have.
let ioBytes = 65536

/// The most ciphertext of a short write.
private let shortWriteBytes = 4096

/// Buffers for plaintext between TLS and HTTP/2, and for ciphertext to the socket. The connections of a thread share them:
/// no plaintext stays in a buffer between two calls, and ciphertext gets new memory while the socket still uses the old.
enum LoopBuffers {
    // @unchecked: only a thread-specific variable refers to a pair, so no other thread can use it.
    private final class Pair: @unchecked Sendable {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: ioBytes, alignment: 16)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ioBytes, alignment: 16)
        var ciphertext = ByteBuffer()
        var shortCiphertext = ByteBuffer()

        deinit {
            input.deallocate()
            output.deallocate()
        }
    }

    private static let current = ThreadSpecificVariable<Pair>()

    private static var pair: Pair {
        if let pair = current.currentValue { return pair }
        let pair = Pair()
        current.currentValue = pair
        return pair
    }

    static var input: UnsafeMutableRawBufferPointer { pair.input }
    static var output: UnsafeMutableRawBufferPointer { pair.output }

    /// A buffer with the `count` bytes that `fill` writes.
    ///
    /// It reuses the memory of the last buffer, if the socket has sent that. New memory for each buffer would make the C
    /// library consolidate its small blocks each time, which took 20 % of the CPU of a gateway that writes often.
    static func ciphertext(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> ByteBuffer {
        let pair = self.pair
        // Short writes have their own buffer, so that one that waits for its peer does not hold the memory of a long one.
        return count <= shortWriteBytes
            ? reuse(&pair.shortCiphertext, count, fill) : reuse(&pair.ciphertext, count, fill)
    }

    private static func reuse(
        _ buffer: inout ByteBuffer, _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
    ) -> ByteBuffer {
        buffer.clear(minimumCapacity: count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { fill($0) }
        defer { if buffer.capacity > 4 * ioBytes { buffer = ByteBuffer() } }
        return buffer
    }
}
