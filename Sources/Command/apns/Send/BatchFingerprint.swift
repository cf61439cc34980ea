/// Tells one batch from another: a hash of everything that decides what is sent. Against mistakes, not against forgery.
struct BatchFingerprint: Hashable, Sendable {
    // Two of FNV-1a, which needs no library, with different beginnings.
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x6c62_272e_07bb_0142

    /// Adds a part, told apart from the parts around it.
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
