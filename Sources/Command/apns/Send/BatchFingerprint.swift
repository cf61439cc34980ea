/// Identifies a batch: a hash of everything that decides what is sent. It detects mistakes, not forgery.
struct BatchFingerprint: Hashable, Sendable {
    // Two hashes with different start values and multipliers, which take 8 bytes at a time.
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x6c62_272e_07bb_0142

    /// Adds a part and its length, so that "ab", "c" differs from "a", "bc".
    mutating func add(_ text: String) { add(Array(text.utf8)) }

    /// The same for bytes.
    mutating func add(_ bytes: [UInt8]) {
        var pieces = [bytes]
        add { pieces.popLast() ?? [] }
    }

    /// Adds a part that comes in pieces. Where it is cut makes no difference.
    ///
    /// - Parameter piece: Returns the next piece, and an empty one at the end.
    mutating func add<Failure>(_ piece: () throws(Failure) -> [UInt8]) throws(Failure) {
        var length = 0
        // After each turn fewer than 8 bytes.
        var rest: [UInt8] = []
        while true {
            let bytes = try piece()
            guard !bytes.isEmpty else { break }
            length += bytes.count
            rest += bytes
            let whole = rest.count & ~7
            rest.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: whole, by: 8) {
                    add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                }
            }
            rest.removeFirst(whole)
        }
        add(rest.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        add(UInt64(length))
    }

    private mutating func add(_ word: UInt64) {
        // A product's low bits depend on low bits only, so the high ones are folded into them.
        first = (first ^ word) &* 0x9e37_79b9_7f4a_7c15
        first ^= first >> 32
        second = (second ^ word) &* 0xc2b2_ae3d_27d4_eb4f
        second ^= second >> 29
    }

    /// 32 hexadecimal digits.
    var text: String {
        [first, second].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
