/// Random numbers from a seed, so that tests and simulations repeat.
///
/// SplitMix64, which passes BigCrush and has one word of state. Do not use it for secrets.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable, Codable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return SeededGenerator.mix(state)
    }

    /// A bijective hash of a word.
    package static func mix(_ word: UInt64) -> UInt64 {
        var word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// The inverse of `mix`. The factors are the inverses of those in `mix`, modulo 2^64.
    package static func unmix(_ word: UInt64) -> UInt64 {
        var word = (word ^ (word >> 31) ^ (word >> 62)) &* 0x3196_42b2_d24d_8ec3
        word = (word ^ (word >> 27) ^ (word >> 54)) &* 0x96de_1b17_3f11_9089
        return word ^ (word >> 30) ^ (word >> 60)
    }
}
