/// Eight bytes of a text, which are checked at once.
struct ASCIIWord {
    /// The highest bit of each byte. A set of bytes is written as such bits.
    static let all: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The first byte is the lowest one.
    private let bytes: UInt64

    /// - Parameter start: Of eight bytes that can be read.
    init(at start: UnsafeRawPointer) {
        bytes = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    }

    var isASCII: Bool { bytes & ASCIIWord.all == 0 }

    /// The bytes in a range, if all are ASCII.
    ///
    /// - Parameter range: From 1 to 127.
    @inline(__always)
    func bytes(in range: ClosedRange<UInt8>) -> UInt64 {
        ASCIIWord.inRange(bytes, range)
    }

    /// The letters in a range of lower-case ones, in either case, if all bytes are ASCII.
    @inline(__always)
    func letters(in range: ClosedRange<UInt8>) -> UInt64 {
        ASCIIWord.inRange(bytes | 0x20 &* ASCIIWord.ones, range)
    }

    // A byte below 128 plus (128 - first) has the highest bit if it is not below the first, and plus (127 - last) if it is above
    // the last. Neither sum carries into the next byte.
    @inline(__always)
    private static func inRange(_ bytes: UInt64, _ range: ClosedRange<UInt8>) -> UInt64 {
        (bytes &+ UInt64(128 - range.lowerBound) &* ones) & ~(bytes &+ UInt64(127 - range.upperBound) &* ones) & all
    }

    /// One bit for each byte of a set, the first byte in the lowest bit.
    static func bits(of set: UInt64) -> UInt64 { (set >> 7 &* 0x0102_0408_1020_4080) >> 56 }
}

extension ASCIIWord {
    var hexDigits: UInt64 {
        bytes(in: UInt8(ascii: "0")...UInt8(ascii: "9")) | letters(in: UInt8(ascii: "a")...UInt8(ascii: "f"))
    }

    var lettersAndDigits: UInt64 {
        bytes(in: UInt8(ascii: "0")...UInt8(ascii: "9")) | letters(in: UInt8(ascii: "a")...UInt8(ascii: "z"))
    }

    /// Whether a text of at least eight bytes has hexadecimal digits only.
    static func isHex(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count >= 8 else { return false }
        var isRight = true
        var place = 0
        while place < text.count {
            // The last word overlaps the one before where the length is not a multiple of eight.
            let word = ASCIIWord(at: UnsafeRawPointer(start + min(place, text.count - 8)))
            isRight = isRight && word.isASCII && word.hexDigits == all
            place += 8
        }
        return isRight
    }

    /// Whether it is a UUID in the form 8-4-4-4-12.
    static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count == 36 else { return false }
        func isRight(_ place: Int, hyphens: UInt64) -> Bool {
            let word = ASCIIWord(at: UnsafeRawPointer(start + place))
            return word.isASCII && word.bytes(in: UInt8(ascii: "-")...UInt8(ascii: "-")) == hyphens
                && word.hexDigits | hyphens == all
        }
        return isRight(0, hyphens: 0) && isRight(8, hyphens: 0x0000_8000_0000_0080)
            && isRight(16, hyphens: 0x8000_0000_0080_0000) && isRight(24, hyphens: 0) && isRight(28, hyphens: 0)
    }
}
