/// CRC-32 as in Ethernet and zip, which finds every changed byte.
package struct Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private var state: UInt32 = 0xffff_ffff

    package init() {}

    package var value: UInt32 { ~state }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        state = Checksum.table.withUnsafeBufferPointer { table in
            var state = state
            for byte in bytes { state = state >> 8 ^ table[Int((state ^ UInt32(byte)) & 0xff)] }
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
