import APNSModel
import Foundation
import TestSeeds
import Testing

struct PaddedBase64Tests {
    @Test(arguments: TestSeed.all(1...10))
    func `bytes are coded as Foundation codes them`(seed: TestSeed) {
        var generator = seed.generator
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Data(bytes).base64EncodedString()
            #expect(PaddedBase64.text(of: bytes) == text)
            #expect(PaddedBase64.bytes(of: text) == bytes)
            #expect(PaddedBase64.isBase64(text) == (count > 0))
        }
    }

    @Test(arguments: ["a", "ab", "abc", "ab=c", "a===", "====", "ab-_", "ab c", "äbc", "abcd\n"])
    func `other strings are refused`(text: String) {
        #expect(!PaddedBase64.isBase64(text))
        #expect(PaddedBase64.bytes(of: text) == nil)
    }
}
