/// The id of one record.
///
/// It is written with 15 case-sensitive characters, or with 18, of which the last three encode the case of the others.
/// Both spellings give the same value (docs/reference/selective-sync.md 5).
public struct RecordID: Hashable, Sendable {
    /// The first 8 of the 15 characters and the other 7, the first in the highest byte. Two numbers are compared and
    /// hashed faster than a string, and have the same order.
    private let head: UInt64
    private let tail: UInt64

    public enum Problem: Error, Hashable, Sendable {
        case wrongLength(Int)
        case wrongCharacter
        /// The suffix has an invalid character, or marks a digit as a capital letter.
        case wrongSuffix
    }

    /// An id, and whether its case was corrected by its suffix.
    public struct Reading: Hashable, Sendable {
        public let id: RecordID
        public let isRepaired: Bool
    }

    private static let shortBytes = 15
    private static let longBytes = 18

    /// Fails where `read(_:)` throws.
    public init?(_ text: String) {
        guard let reading = try? RecordID.read(text) else { return nil }
        self = reading.id
    }

    /// Reads either spelling. The suffix of an 18-character id corrects the case of the other characters.
    public static func read(_ text: String) throws(Problem) -> Reading {
        var text = text
        return try text.withUTF8 { RecordID.read($0) }.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Reading, Problem> {
        guard bytes.count == shortBytes || bytes.count == longBytes else { return .failure(.wrongLength(bytes.count)) }
        guard bytes.allSatisfy({ $0.isASCIIAlphanumeric }) else { return .failure(.wrongCharacter) }
        guard bytes.count == longBytes else {
            return .success(Reading(id: RecordID { bytes[$0] }, isRepaired: false))
        }
        var capitals: UInt32 = 0
        for group in 0..<3 {
            guard let bits = bits(ofSuffix: bytes[shortBytes + group]) else { return .failure(.wrongSuffix) }
            capitals |= bits << (5 * UInt32(group))
        }
        for index in 0..<shortBytes where capitals & 1 << UInt32(index) != 0 && !bytes[index].isASCIILetter {
            return .failure(.wrongSuffix)
        }
        let id = RecordID { index in
            capitals & 1 << UInt32(index) == 0 ? bytes[index].asciiLowercased : bytes[index].asciiUppercased
        }
        return .success(Reading(id: id, isRepaired: !id.withUTF8 { $0.elementsEqual(bytes) }))
    }

    private init(_ byte: (Int) -> UInt8) {
        var numbers: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 { numbers.0 = numbers.0 << 8 | UInt64(byte(index)) }
        for index in 8..<RecordID.shortBytes { numbers.1 = numbers.1 << 8 | UInt64(byte(index)) }
        (head, tail) = numbers
    }

    /// One of the 15 characters.
    private func byte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: index < 8 ? head >> UInt64(8 * (7 - index)) : tail >> UInt64(8 * (14 - index)))
    }

    /// Which of five characters are capitals, the first in the lowest bit; nil for an invalid character.
    private static func bits(ofSuffix letter: UInt8) -> UInt32? {
        switch letter.asciiUppercased {
        case let letter where letter.isASCIILetter: UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "5"): 26 + UInt32(letter - UInt8(ascii: "0"))
        default: nil
        }
    }

    /// The 18 characters of `description`, without allocating a string.
    package func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: RecordID.longBytes) { bytes in
            write(to: bytes)
            return try body(UnsafeBufferPointer(bytes))
        }
    }

    private func write(to bytes: UnsafeMutableBufferPointer<UInt8>) {
        for group in 0..<3 {
            var bits: UInt8 = 0
            for bit in 0..<5 {
                let byte = byte(group * 5 + bit)
                bytes.initializeElement(at: group * 5 + bit, to: byte)
                if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { bits |= 1 << UInt8(bit) }
            }
            let letter = bits < 26 ? UInt8(ascii: "A") + bits : UInt8(ascii: "0") + (bits - 26)
            bytes.initializeElement(at: RecordID.shortBytes + group, to: letter)
        }
    }

    /// The three characters that identify the object: `001` for Account. Not reliable for custom objects.
    package var keyPrefix: Substring { description.prefix(3) }
}

extension RecordID: Comparable {
    /// The order of the descriptions by their bytes.
    public static func < (left: RecordID, right: RecordID) -> Bool {
        (left.head, left.tail) < (right.head, right.tail)
    }
}

extension RecordID: CustomStringConvertible {
    /// The 18-character form, the only one that is stored or sent.
    public var description: String {
        String(unsafeUninitializedCapacity: RecordID.longBytes) {
            write(to: $0)
            return RecordID.longBytes
        }
    }
}

extension RecordID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = RecordID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a record id has 15 or 18 letters and digits")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension RecordID.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongLength(let bytes): "has \(bytes) bytes; a record id has 15 or 18"
        case .wrongCharacter: "has a character other than 0-9, A-Z and a-z"
        case .wrongSuffix: "has a suffix that does not match the other 15 characters"
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased)
    }

    fileprivate var isASCIIAlphanumeric: Bool {
        isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    fileprivate var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    fileprivate var asciiUppercased: UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & ~0x20 : self
    }
}
