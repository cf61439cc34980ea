import Testing

@testable import TLSSession

@Suite struct ByteQueueTests {
    @Test func `bytes come out as they went in, for any sizes of the pieces`() {
        let queue = ByteQueue()
        var put: [UInt8] = []
        var taken: [UInt8] = []
        // Sizes up to a few times the first memory, so that bytes are moved and memory is enlarged.
        for round in 0..<3000 {
            let size = (round &* 7919) % (round % 100 == 0 ? 20_000 : 900)
            let piece = (0..<size).map { UInt8(truncatingIfNeeded: put.count &+ $0 &* 31) }
            put += piece
            piece.withUnsafeBytes { queue.append($0) }
            taken += take((round &* 6101) % 1000, from: queue)
            #expect(queue.count == put.count - taken.count)
        }
        taken += take(queue.count, from: queue)
        let isSame = taken == put  // not in the expectation, which would list a million bytes
        #expect(isSame)
        #expect(queue.count == 0)
    }

    private func take(_ count: Int, from queue: borrowing ByteQueue) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = queue.take(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
