/// Identifies a batch: a hash of everything that decides what is sent. It detects mistakes, not forgery.
struct BatchFingerprint: Hashable, Sendable {
    // Two 64-bit FNV-1a hashes with different start values. FNV-1a needs no library.
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x6c62_272e_07bb_0142

    /// Adds a part and its length, so that "ab", "c" differs from "a", "bc".
    mutating func add(_ part: some Collection<UInt8>) {
        addBytes(part)
        addBytes(withUnsafeBytes(of: UInt64(part.count).littleEndian) { Array($0) })
    }

    mutating func add(_ text: String) { add(text.utf8) }

    private mutating func addBytes(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second ^ UInt64(byte)) &* 0x100_0000_01b3
            second = second << 5 | second >> 59
        }
    }

    /// 32 hexadecimal digits.
    var text: String {
        [first, second].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
