/// CRC-32 as in Ethernet and zip, which finds every changed byte.
package struct Checksum {
    /// For a byte `b` and `k` more bytes after it: the entry `256 * k + b`. Source: M. E. Kounavis and F. L. Berry, "A Systematic
    /// Approach to Building High Performance, Software-based, CRC Generators" (slicing by 8).
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { index in
            (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
        for index in 256..<2_048 {
            let value = table[index - 256]
            table.append(value >> 8 ^ table[Int(value & 0xff)])
        }
        return table
    }()

    private var state: UInt32 = 0xffff_ffff

    package init() {}

    package var value: UInt32 { ~state }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        state = Checksum.table.withUnsafeBufferPointer { table in
            var state = state
            var index = 0
            while index + 8 <= bytes.count {
                let word =
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(state)
                func entry(_ place: Int) -> UInt32 {
                    table[(7 - place) << 8 | Int(truncatingIfNeeded: word >> UInt64(8 * place) & 0xff)]
                }
                // Apart, because the compiler takes long for one expression.
                let low = entry(0) ^ entry(1) ^ entry(2) ^ entry(3)
                state = low ^ entry(4) ^ entry(5) ^ entry(6) ^ entry(7)
                index += 8
            }
            for byte in bytes[index...] { state = state >> 8 ^ table[Int((state ^ UInt32(byte)) & 0xff)] }
            return state
        }
    }

    package static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum = Checksum()
        sum.add(bytes)
        return sum.value
    }

    package static func crc32(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { crc32($0) } }
}
