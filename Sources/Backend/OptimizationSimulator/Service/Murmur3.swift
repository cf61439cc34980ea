/// The 32-bit MurmurHash3 in its x86 form with seed 0, which the vendor's clients allocate with
/// (docs/reference/personalization.md 10.2).
package enum Murmur3 {
    /// The hash of the UTF-8 bytes. The vendor's code agrees with it for ASCII only.
    package static func hash(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { hash($0) }
    }

    /// The hash divided by the largest one, so from 0 to 1.
    package static func number(_ text: String) -> Double { Double(hash(text)) / 4_294_967_295 }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var hash: UInt32 = 0
        var index = 0
        while index + 4 <= bytes.count {
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
            hash ^= mixed(word)
            hash = rotated(hash, 13) &* 5 &+ 0xe654_6b64
            index += 4
        }
        if index < bytes.count {
            var word: UInt32 = 0
            for (place, byte) in bytes[index...].enumerated() { word |= UInt32(byte) << UInt32(8 * place) }
            hash ^= mixed(word)
        }
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
        hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
        return hash ^ hash >> 16
    }

    private static func mixed(_ word: UInt32) -> UInt32 { rotated(word &* 0xcc9e_2d51, 15) &* 0x1b87_3593 }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
