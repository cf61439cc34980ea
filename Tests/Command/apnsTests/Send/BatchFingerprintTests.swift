import TestSeeds
import Testing

@testable import apns

struct BatchFingerprintTests {
    private func fingerprint(_ parts: [String]) -> String {
        var fingerprint = BatchFingerprint()
        for part in parts { fingerprint.add(part) }
        return fingerprint.text
    }

    @Test func `it has 32 digits and is the same for the same parts`() {
        #expect(fingerprint(["a", "b"]) == fingerprint(["a", "b"]))
        #expect(fingerprint([]).wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test func `order, borders and content of the parts count`() {
        let all = [["a", "b"], ["b", "a"], ["ab"], ["ab", ""], ["", "ab"], ["a", "c"], []].map { fingerprint($0) }
        #expect(Set(all).count == all.count)
    }

    // A journal is continued only where the value is the same in the next version.
    @Test func `a known batch has a known value`() {
        #expect(fingerprint(["file", "The quick brown fox"]) == "6a852a42de4076d4bb4479138e23e674")
    }

    @Test(arguments: TestSeed.all(1...20))
    func `where the reads of a file end makes no difference, and each byte counts`(seed: TestSeed) {
        var generator = seed.generator
        var bytes = (0..<Int.random(in: 1...200, using: &generator)).map { _ in UInt8.random(in: .min ... .max) }
        func fingerprint(inPieces: Bool) -> String {
            var rest = bytes[...]
            var fingerprint = BatchFingerprint()
            fingerprint.add {
                let piece = rest.prefix(inPieces ? Int.random(in: 1...20, using: &generator) : bytes.count)
                rest = rest.dropFirst(piece.count)
                return Array(piece)
            }
            return fingerprint.text
        }
        let whole = fingerprint(inPieces: false)
        #expect(fingerprint(inPieces: true) == whole)
        bytes[Int.random(in: bytes.indices, using: &generator)] ^= 0x80
        #expect(fingerprint(inPieces: true) != whole)
        bytes.append(0)
        #expect(fingerprint(inPieces: true) != whole)
    }
}
