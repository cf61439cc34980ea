/// Takes one DER value after the other from bytes, strictly: definite lengths in their shortest form, below 64 KiB.
struct DERReader {
    enum Tag: UInt8 { case utf8String = 0x0c, sequence = 0x30 }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// The inside of the next value; nil when it has another tag or is not whole.
    mutating func take(_ tag: Tag) -> DERReader? {
        guard rest.popFirst() == tag.rawValue, let length = takeLength(), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return DERReader(rest.prefix(length))
    }

    /// The next value, a UTF8String that is well-formed and not empty.
    mutating func takeText() -> String? {
        guard let inside = take(.utf8String), !inside.isAtEnd else { return nil }
        return String(validating: inside.rest, as: UTF8.self)
    }

    private mutating func takeLength() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case 0x00...0x7f: return Int(first)
        case 0x81:
            guard let length = rest.popFirst(), length >= 0x80 else { return nil }
            return Int(length)
        case 0x82:
            guard let high = rest.popFirst(), let low = rest.popFirst(), high > 0 else { return nil }
            return Int(high) << 8 | Int(low)
        default: return nil
        }
    }

    /// - Precondition: `content` is shorter than 64 KiB.
    static func encode(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count <= 0xffff, "a DER value of \(content.count) bytes")
        let length: [UInt8] =
            switch content.count {
            case 0..<0x80: [UInt8(content.count)]
            case 0x80..<0x100: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
            }
        return [tag.rawValue] + length + content
    }
}
