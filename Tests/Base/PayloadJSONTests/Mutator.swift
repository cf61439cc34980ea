import TestSeeds

/// Makes random changes to JSON strings, mostly with bytes that have a meaning in JSON.
struct Mutator {
    private var generator: TestGenerator

    init(seed: TestSeed) { generator = seed.generator }

    mutating func choice(of sources: [[UInt8]]) -> [UInt8] { sources[below(sources.count)] }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &generator) }

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\n", "\t", "0", "1", "-", ".", "e", "E", "+", "true",
            "false",
            "null", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\n", "\u{1}", "é", "😀", "\u{FEFF}", "//", "'", "\0",
        ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5], [0xFF]]

    /// `text` with one to three changes.
    mutating func mutated(_ text: [UInt8], mixing other: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...below(3) {
            let place = below(text.count + 1)
            let end = min(place + below(4), text.count)
            switch below(7) {
            case 0: text.removeSubrange(place..<end)
            case 1: text.insert(contentsOf: text[place..<end], at: place)
            case 2 where place < text.count: text[place] = UInt8(truncatingIfNeeded: generator.next())
            case 3 where place < text.count: text[place] ^= 1 << UInt8(below(8))
            case 4: text.replaceSubrange(place..<end, with: other.prefix(below(12)))
            case 5: text.removeLast(min(below(6), text.count))
            default: text.insert(contentsOf: Mutator.pieces[below(Mutator.pieces.count)], at: place)
            }
        }
        return text
    }
}
