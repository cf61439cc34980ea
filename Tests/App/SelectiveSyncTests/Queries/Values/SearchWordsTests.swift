import PushDispatch
import TestSeeds
import Testing

@testable import SelectiveSync

struct SearchWordsTests {
    private func words(of texts: [String]) -> String {
        var bytes: [UInt8] = []
        for text in texts {
            Array(text.utf8).withUnsafeBufferPointer { SearchWords.append(.plain($0), to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `words come without case and accents, and separated by one space`() {
        #expect(words(of: ["Northwind-Clinic, 4711", "  ", "ÉCOLE No.5"]) == "northwind clinic 4711 ecole no 5")
        #expect(words(of: []) == "")
    }

    @Test func `a number is a word, and null is none`() {
        var bytes: [UInt8] = []
        for field in [FieldScanner.Found.integer(-15), .none, .number(2.5), .text("x\u{301}")] {
            SearchWords.append(field, to: &bytes)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "15 2 5 x")
    }

    @Test func `a word ends after 64 letters`() {
        let long = String(repeating: "A", count: 100)
        let most = String(repeating: "a", count: 63)
        #expect(words(of: [long, "é" + long]) == "a\(most) e\(most)")
    }

    /// Texts of plain ASCII are read byte by byte, all others by the rules of Unicode.
    @Test(arguments: TestSeed.all(0..<20))
    func `both ways find the same words`(seed: TestSeed) {
        var generator = seed.generator
        for _ in 0..<200 {
            let scalars = (0..<Int.random(in: 0..<90, using: &generator)).map { _ in
                Unicode.Scalar(UInt8.random(in: 0..<0x80, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(words(of: [text]) == SearchWords.words(of: text).joined(separator: " "), "\(text.debugDescription)")
        }
    }
}
