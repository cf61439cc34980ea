import DER

/// A P-256 signature in its two encodings: raw and DER.
struct ECDSASignature: Hashable {
    /// r, then s, 32 bytes each: the form of JOSE (RFC 7518 3.4).
    let raw: [UInt8]

    static let rawBytes = 64

    /// Fails unless there are 64 bytes. Whether the numbers are in range is left to the verification.
    init?(raw: some Collection<UInt8>) {
        guard raw.count == ECDSASignature.rawBytes else { return nil }
        self.raw = Array(raw)
    }

    /// Fails unless `der` is exactly the DER of two numbers from 0 to 2^256 - 1.
    init?(der: some Collection<UInt8>) {
        var outer = DERReader(Array(der)[...])
        guard let content = try? outer.next(DERReader.Tag.sequence), outer.isAtEnd else { return nil }
        var reader = DERReader(content)
        guard let r = try? reader.next(DERReader.Tag.integer), let s = try? reader.next(DERReader.Tag.integer),
            reader.isAtEnd, let first = ECDSASignature.unsigned(r), let second = ECDSASignature.unsigned(s)
        else { return nil }
        raw = first + second
    }

    var der: [UInt8] {
        let numbers = ECDSASignature.integer(raw.prefix(32)) + ECDSASignature.integer(raw.suffix(32))
        return DERWriter.element(DERReader.Tag.sequence, numbers)
    }

    /// The content of an INTEGER as 32 bytes; nil when negative, too large, or not in its shortest form.
    private static func unsigned(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        guard let first = content.first, first < 0x80 else { return nil }
        let digits = first == 0 && content.count > 1 ? content.dropFirst() : content
        guard digits.count <= 32, digits.count == content.count || digits.first.map({ $0 >= 0x80 }) == true else {
            return nil
        }
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }

    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return DERWriter.element(DERReader.Tag.integer, digits)
    }
}
