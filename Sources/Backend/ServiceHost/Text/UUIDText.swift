package import APNSModel

/// UUIDs as text.
package enum UUIDText {
    /// Version 4, in lower case.
    package static func make(using generator: inout SeededGenerator) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        let words = (
            generator.next() & 0xffff_ffff_ffff_0fff | 0x4000, generator.next() & 0x3fff_ffff_ffff_ffff | 1 << 63
        )
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            let word = index < 16 ? words.0 : words.1
            text.append(digits[Int(word >> UInt64(60 - index % 16 * 4) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the text has the 36 characters of a UUID.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default:
                let digit = byte | 0x20
                guard (0x30...0x39).contains(byte) || (0x61...0x66).contains(digit) else { return false }
            }
        }
        return true
    }
}
