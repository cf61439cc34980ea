/// CRC-32 as in Ethernet and zip, which finds every changed byte.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var value: UInt32 = 0xffff_ffff
            for byte in bytes { value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xff)] }
            return ~value
        }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { crc32($0) } }
}
