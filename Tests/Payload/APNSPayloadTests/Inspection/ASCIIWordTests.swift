import Testing

@testable import APNSPayload

/// The words are compared with the same checks of single bytes.
struct ASCIIWordTests {
    private func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    @Test(arguments: 0..<8) func `each byte is a digit, a letter or neither, in each place`(place: Int) {
        for byte in UInt8.min...UInt8.max {
            var bytes = [UInt8](repeating: UInt8(ascii: "0"), count: 8)
            bytes[place] = byte
            let word = bytes.withUnsafeBytes { ASCIIWord(at: $0.baseAddress!) }
            #expect(word.isASCII == (byte < 0x80))
            guard byte < 0x80 else { continue }
            let isLetterOrDigit = UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
            #expect((word.hexDigits == ASCIIWord.all) == isHexDigit(byte), "\(byte)")
            #expect((word.lettersAndDigits == ASCIIWord.all) == isLetterOrDigit, "\(byte)")
            let capitals = word.bytes(in: UInt8(ascii: "A")...UInt8(ascii: "Z"))
            #expect(ASCIIWord.bits(of: capitals) == ((0x41...0x5A).contains(byte) ? 1 << UInt64(place) : 0), "\(byte)")
        }
    }

    @Test func `a text of hexadecimal digits is one in each length, and with any other byte it is none`() {
        for count in 0...70 {
            var text = (0..<count).map { [UInt8]("0123456789abcdefABCDEF".utf8)[$0 % 22] }
            #expect(text.withUnsafeBufferPointer(ASCIIWord.isHex) == (count >= 8))
            for place in 0..<count {
                let byte = text[place]
                for wrong: UInt8 in [0x2F, 0x3A, 0x40, 0x47, 0x60, 0x67, 0x10, 0xB0] {
                    text[place] = wrong
                    #expect(!text.withUnsafeBufferPointer(ASCIIWord.isHex), "\(wrong) at \(place) of \(count)")
                }
                text[place] = byte
            }
        }
    }

    @Test func `a UUID has hyphens in four places and digits in all others`() {
        let good = [UInt8]("123e4567-E89b-12d3-a456-4266554400aF".utf8)
        #expect(good.withUnsafeBufferPointer(ASCIIWord.isUUID))
        #expect(!good.dropLast().withUnsafeBufferPointer(ASCIIWord.isUUID))
        #expect(!(good + [0x30]).withUnsafeBufferPointer(ASCIIWord.isUUID))
        for place in good.indices {
            for wrong: UInt8 in [0x2D, 0x30, 0x67, 0x20, 0xAD] where wrong != good[place] {
                var text = good
                text[place] = wrong
                let isStillRight = wrong == 0x30 && good[place] != 0x2D
                #expect(text.withUnsafeBufferPointer(ASCIIWord.isUUID) == isStillRight, "\(wrong) at \(place)")
            }
        }
    }

    @Test func `an id of a record is right with the suffix of its capitals`() {
        let letters = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)
        for capitals in stride(from: 0, to: 1 << 15, by: 7) {
            var text = (0..<15).map { place in capitals >> place & 1 == 1 ? UInt8(ascii: "Q") : UInt8(ascii: "q") }
            #expect(RecordIDForm(String(decoding: text, as: UTF8.self)) == .right)
            for group in 0..<3 { text.append(letters[capitals >> (5 * group) & 31]) }
            #expect(RecordIDForm(String(decoding: text, as: UTF8.self)) == .right)
            #expect(
                RecordIDForm(String(decoding: text, as: UTF8.self).lowercased())
                    == (capitals == 0 ? .right : .wrongSuffix))
            text[0] = UInt8(ascii: "-")
            #expect(RecordIDForm(String(decoding: text, as: UTF8.self)) == .none)
        }
    }
}
