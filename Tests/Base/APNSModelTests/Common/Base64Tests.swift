import APNSModel
import Foundation
import TestSeeds
import Testing

struct Base64Tests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `the samples of RFC 4648 are encoded and decoded in every form`() throws {
        let samples = [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
        for (plain, encoded) in samples {
            let bare = encoded.replacing("=", with: "")
            #expect(text(Base64.encode(Array(plain.utf8))) == encoded)
            #expect(text(Base64.encodeURL(Array(plain.utf8))) == bare)
            #expect(text(try Base64.decode(encoded.utf8, as: .pem)) == plain)
            #expect(text(try Base64.decode(encoded.utf8, as: .padded)) == plain)
            #expect(text(try Base64.decode(encoded.utf8, as: .lenient)) == plain)
            #expect(text(try Base64.decode(bare.utf8, as: .lenient)) == plain)
            #expect(text(try Base64.decode(bare.utf8, as: .strictURL)) == plain)
        }
    }

    @Test func `every byte value survives in both alphabets`() throws {
        let bytes = (0...255).map { UInt8($0) }
        for count in 253...256 {
            let part = Array(bytes.prefix(count).reversed())
            #expect(try Base64.decode(Base64.encode(part), as: .pem) == part)
            #expect(try Base64.decode(Base64.encode(part), as: .lenient) == part)
            #expect(try Base64.decode(Base64.encodeURL(part), as: .strictURL) == part)
        }
        #expect(text(Base64.encode([0xfb, 0xff])) == "+/8=")
        #expect(text(Base64.encodeURL([0xfb, 0xff])) == "-_8")
    }

    @Test func `each form refuses what it does not allow`() {
        let refused: [(String, Base64.Form, Base64.DecodingError)] = [
            ("Zg==", .strictURL, .character(at: 2)), ("+_8", .strictURL, .character(at: 0)),
            ("Zh", .strictURL, .character(at: 1)), ("Zg", .pem, .truncated), ("-_8=", .pem, .character(at: 0)),
            ("Zg=", .pem, .truncated), ("Zg=", .lenient, .truncated), ("Z", .lenient, .truncated),
            ("Zm9v=", .lenient, .character(at: 4)), ("Zg==Zg==", .lenient, .character(at: 4)),
            ("Zm8==", .lenient, .character(at: 4)), ("Zg===", .lenient, .character(at: 4)),
            ("Zm 9v", .lenient, .character(at: 2)), ("=", .lenient, .character(at: 0)),
        ]
        for (encoded, form, fault) in refused {
            #expect(throws: fault, "\(encoded)") { try Base64.decode(encoded.utf8, as: form) }
        }
    }

    @Test func `PEM skips blanks, and the lenient and the padded form ignore unused bits`() throws {
        #expect(text(try Base64.decode("Zm\r\n9 v\t".utf8, as: .pem)) == "foo")
        #expect(text(try Base64.decode("Zh".utf8, as: .lenient)) == "f")
        #expect(text(try Base64.decode("Zh==".utf8, as: .padded)) == "f")
    }

    @Test(arguments: TestSeed.all(1...10))
    func `bytes are coded as Foundation codes them`(seed: TestSeed) throws {
        var generator = seed.generator
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let encoded = Data(bytes).base64EncodedString()
            #expect(text(Base64.encode(bytes)) == encoded)
            #expect(try Base64.decode(encoded.utf8, as: .padded) == bytes)
            #expect(Base64.isPadded(encoded) == (count > 0))
        }
    }

    @Test(arguments: ["a", "ab", "abc", "ab=c", "a===", "====", "ab-_", "ab c", "äbc", "abcd\n"])
    func `text without its padding or with other characters is not padded base64`(text: String) {
        #expect(!Base64.isPadded(text))
        #expect(throws: Base64.DecodingError.self) { try Base64.decode(text.utf8, as: .padded) }
    }
}
