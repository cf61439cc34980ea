/// The id of one record, whichever of its two spellings it came in.
///
/// 15 characters that depend on case, or 18 of which the last three spell the case of the others. Both make the same
/// value, so one record is one key (selective-sync.md 5).
public struct RecordID: Hashable, Sendable {
    /// 15 characters, stored inline by `String`.
    private let short: String

    public enum Problem: Error, Hashable, Sendable {
        case wrongLength(Int)
        case wrongCharacter
        /// The suffix asks for a capital where a digit stands, or is itself none.
        case wrongSuffix
    }

    /// An id and whether its case had to be put right from its suffix.
    public struct Reading: Hashable, Sendable {
        public let id: RecordID
        public let isRepaired: Bool
    }

    /// Fails where `read(_:)` throws.
    public init?(_ text: String) {
        guard let reading = try? RecordID.read(text) else { return nil }
        self = reading.id
    }

    private init(short: [UInt8]) { self.short = String(decoding: short, as: UTF8.self) }

    /// Reads either spelling. The case of an 18-character id is repaired from a well-formed suffix.
    public static func read(_ text: String) throws(Problem) -> Reading {
        let bytes = Array(text.utf8.prefix(19))
        guard bytes.count == 15 || bytes.count == 18 else { throw .wrongLength(text.utf8.count) }
        guard bytes.allSatisfy(\.isASCIIAlphanumeric) else { throw .wrongCharacter }
        let short = Array(bytes[..<15])
        guard bytes.count == 18 else { return Reading(id: RecordID(short: short), isRepaired: false) }
        let repaired = try restoreCase(of: short, from: Array(bytes[15...]))
        let id = RecordID(short: repaired)
        return Reading(id: id, isRepaired: id.description != text)
    }

    private static func restoreCase(of short: [UInt8], from suffix: [UInt8]) throws(Problem) -> [UInt8] {
        var repaired: [UInt8] = []
        for (group, letter) in suffix.enumerated() {
            guard let bits = suffixLetters.firstIndex(of: letter.asciiUppercased) else { throw .wrongSuffix }
            for bit in 0..<5 {
                let byte = short[group * 5 + bit]
                if bits & (1 << bit) == 0 {
                    repaired.append(byte.asciiLowercased)
                } else {
                    guard byte.isASCIILetter else { throw .wrongSuffix }
                    repaired.append(byte.asciiUppercased)
                }
            }
        }
        return repaired
    }

    private static let suffixLetters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)

    /// The three characters that tell the object: `001` for Account. Not to be relied on for custom objects.
    public var keyPrefix: Substring { short.prefix(3) }

    private var suffix: String {
        var groups = [0, 0, 0]
        for (index, byte) in short.utf8.enumerated() where byte.isASCIILetter && byte == byte.asciiUppercased {
            groups[index / 5] |= 1 << (index % 5)
        }
        return String(decoding: groups.map { RecordID.suffixLetters[$0] }, as: UTF8.self)
    }
}

extension RecordID: CustomStringConvertible {
    /// The 18-character form, the only one that is compared, stored or sent.
    public var description: String { short + suffix }
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
        case .wrongSuffix: "has a suffix that does not belong to the other 15 characters"
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
