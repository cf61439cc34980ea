import TestSeeds
import Testing

@testable import EventDelivery

struct ChecksumTests {
    /// One bit after the other, as the definition says.
    private func reference(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { state, byte in
            (0..<8).reduce(state ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
    }

    @Test func `the sum of the digits is that of the standard`() {
        #expect(Checksum.crc32(Array("123456789".utf8)) == 0xcbf4_3926)
        #expect(Checksum.crc32([]) == 0)
    }

    @Test(arguments: TestSeed.all(1...5))
    func `bytes of any length, added in any pieces, have the sum of the definition`(seed: TestSeed) {
        var random = seed.generator
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let cuts = (0..<3).map { _ in Int.random(in: 0...length, using: &random) }.sorted()
            var sum = Checksum()
            bytes.withUnsafeBytes { buffer in
                for (start, end) in zip([0] + cuts, cuts + [length]) {
                    sum.add(UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
                }
            }
            #expect(sum.value == reference(bytes) && Checksum.crc32(bytes) == sum.value, "\(length) bytes")
        }
    }
}
