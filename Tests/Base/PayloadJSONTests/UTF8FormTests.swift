import PayloadJSON
import Testing

struct UTF8FormTests {
    private func length(_ bytes: [UInt8], at offset: Int = 0) -> Int {
        bytes.withUnsafeBufferPointer { UTF8Form.length(of: $0, at: offset) }
    }

    @Test func `each scalar has its length, and none without its last byte`() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            #expect(length(bytes) == bytes.count)
            #expect(length([0x41] + bytes + [0x41], at: 1) == bytes.count)
            #expect(bytes.count == 1 || length(Array(bytes.dropLast())) == 0)
        }
    }

    @Test func `of all pairs of bytes those are well-formed that the standard library accepts`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for tail in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let count = length(bytes)
                    #expect(count <= bytes.count)
                    let isScalar = (1...4).contains { count in
                        count <= bytes.count
                            && String(validating: bytes[..<count], as: UTF8.self)?.unicodeScalars.count == 1
                    }
                    if (count > 0) != isScalar { Issue.record("\(bytes)") }
                }
            }
        }
    }
}
